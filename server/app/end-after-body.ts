/** Ends answers to requests whose body is not read. */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Time limits for discarding the rest of a body: without a byte, and in all. Milliseconds. */
const limits = { silence: 2_000, all: 10_000 };

/** Whether the sender may still be sending a body. A request without a body ends with its head, though Node sets `complete` later. */
export const isSendingBody = ({ complete, headers }: IncomingMessage): boolean =>
  !complete && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0);

/**
 * Ends a completely written answer once the rest of the request has been discarded. Ending it closes the connection, and closing
 * a connection with unread input resets it: the sender, such as a proxy that is still sending, would lose the answer.
 */
export function endAfterBody(request: IncomingMessage, response: ServerResponse): void {
  const end = () => void response.end();
  const silence = setTimeout(end, limits.silence);
  const all = setTimeout(end, limits.all);
  response.once('close', () => {
    clearTimeout(silence);
    clearTimeout(all);
  });
  request.on('data', () => silence.refresh());
  request.once('end', end).once('close', end).resume();
}
