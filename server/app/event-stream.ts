/** Server-sent events: the stream stays open until the browser or gateway closes it, or the reader loses its permission. */
import type { ServerResponse } from 'node:http';
import type { Follow } from './module.ts';
import type { Watch } from './stream-admissions.ts';

/** Interval of comments that keep the stream open: proxies close a silent connection, most after a minute, some after 30 s. */
const heartbeatMs = 15_000;
/** A reader that is this far behind is disconnected; it reconnects and reads the state instead. */
const backlogBytesMax = 1024 * 1024;

export function streamEvents(response: ServerResponse, follow: Follow, watch: Watch): void {
  response.writeHead(200, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    // Buffering proxies, such as nginx by default, would hold the stream back.
    'X-Accel-Buffering': 'no',
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': 'same-origin',
  });
  response.write('retry: 1000\n\n');
  const write = (text: string) => {
    if (response.writableLength > backlogBytesMax) response.destroy();
    else response.write(text);
  };
  const stop = follow((event, data) => write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`));
  const heartbeat = setInterval(() => write(': beat\n\n'), heartbeatMs);
  const finish = () => {
    clearInterval(heartbeat);
    unwatch();
    stop();
  };
  const unwatch = watch(() => {
    finish();
    response.end();
  });
  heartbeat.unref();
  response.once('close', finish);
}
