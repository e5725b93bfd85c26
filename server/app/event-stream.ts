/** Server-sent events: a stream that stays open until the browser or the gateway goes away. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Follow } from './module.ts';

/** A comment now and then keeps idle proxies and sleeping laptops from cutting the line unnoticed. */
const beatMs = 15_000;
/** A reader this far behind is cut off; it reconnects and asks for the state instead. */
const backlogBytesMax = 1024 * 1024;

export function streamEvents(request: IncomingMessage, response: ServerResponse, follow: Follow): void {
  response.writeHead(200, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': 'same-origin',
  });
  response.write('retry: 1000\n\n');
  const write = (text: string) => {
    if (response.writableLength > backlogBytesMax) response.destroy();
    else response.write(text);
  };
  const stop = follow((event, data) => write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`));
  const beat = setInterval(() => write(': beat\n\n'), beatMs);
  beat.unref();
  request.on('close', () => {
    clearInterval(beat);
    stop();
  });
}
