/** Ends answers to requests whose body nobody reads. */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Time limits for discarding the rest of a body: without a byte, and in all. Milliseconds. */
const limits = { silence: 2_000, all: 10_000 };

/** Whether the sender may still be sending a body. The head of a request without a body is all of it, though Node sets `complete` later. */
export const isSendingBody = ({ complete, headers }: IncomingMessage): boolean =>
  !complete && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0);

/**
 * Ends an answer that has been written whole, once the rest of the request has been discarded. Ending it closes the connection, and closing
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
