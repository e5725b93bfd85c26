/** The sender of hostile requests, in a process of its own: what sends is too busy to measure. Answers are read to their end and dropped. */
import type { OutgoingHttpHeaders } from 'node:http';
import { HttpClient } from '../gateway/http-client.ts';
import { runHelper, serveTask } from '../measure/helper-process.ts';

export interface Ask {
  method: string;
  path: string;
  headers?: OutgoingHttpHeaders;
  body?: Uint8Array;
  times: number;
}

export interface AskTask {
  url: string;
  asks: Ask[];
  connections: number;
}

/** How often each status was answered; 0 where the connection was cut. */
export type StatusCounts = Record<number, number>;

/** @param connections how many requests are on their way at once */
export const sendAsks = (url: string, asks: Ask[], connections: number): Promise<StatusCounts> =>
  runHelper<AskTask, StatusCounts>(new URL(import.meta.url), { url, asks, connections });

async function send({ url, asks, connections }: AskTask): Promise<StatusCounts> {
  const client = new HttpClient(url, connections);
  const counts: StatusCounts = {};
  const all = asks.flatMap((ask) => Array<Ask>(ask.times).fill(ask));
  let next = 0;
  const one = async () => {
    for (let ask = all[next++]; ask; ask = all[next++]) {
      const { method, path, headers = {}, body } = ask;
      const status = await client.send(method, path, headers, body).then(
        (answer) => answer.status,
        () => 0,
      );
      counts[status] = (counts[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, one));
  client.close();
  return counts;
}

if (process.argv[1] === import.meta.filename) serveTask(send);
