/** Server-sent events: a stream that stays open until the browser or the gateway goes away, or its reader may read no more. */
import type { ServerResponse } from 'node:http';
import type { Follow } from './module.ts';

/** A comment now and then keeps idle proxies and sleeping laptops from cutting the line unnoticed. */
const beatMs = 15_000;
/** How long a reader may hear of things after its credential has ended (reliability C6, T-6). */
const admissionMs = 1000;
/** A reader this far behind is cut off; it reconnects and asks for the state instead. */
const backlogBytesMax = 1024 * 1024;

/** @param isAdmitted whether the reader may still read */
export function streamEvents(response: ServerResponse, follow: Follow, isAdmitted: () => Promise<boolean>): void {
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
  const admission = setInterval(async () => {
    if (await isAdmitted()) return;
    finish();
    response.end();
  }, admissionMs);
  const finish = () => {
    clearInterval(beat);
    clearInterval(admission);
    stop();
  };
  beat.unref();
  admission.unref();
  response.once('close', finish);
}
