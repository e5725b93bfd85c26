/** Sends hostile requests from a process of its own, because a busy sender cannot measure. Responses are read to the end and discarded. */
import type { OutgoingHttpHeaders } from 'node:http';
import { HttpClient } from '../gateway/http-client.ts';
import { runHelper, serveTask } from '../measure/helper-process.ts';

export interface RepeatedRequest {
  method: string;
  path: string;
  headers?: OutgoingHttpHeaders;
  body?: Uint8Array;
  times: number;
}

export interface SendTask {
  url: string;
  requests: RepeatedRequest[];
  connections: number;
}

/** The number of responses by status; 0 for broken connections. */
export type StatusCounts = Record<number, number>;

/** @param connections how many requests are sent at the same time */
export const sendRequests = (url: string, requests: RepeatedRequest[], connections: number): Promise<StatusCounts> =>
  runHelper<SendTask, StatusCounts>(new URL(import.meta.url), { url, requests, connections });

async function send({ url, requests, connections }: SendTask): Promise<StatusCounts> {
  const client = new HttpClient(url, connections);
  const counts: StatusCounts = {};
  const all = requests.flatMap((request) => Array<RepeatedRequest>(request.times).fill(request));
  let next = 0;
  const sender = async () => {
    for (let request = all[next++]; request; request = all[next++]) {
      const { method, path, headers = {}, body } = request;
      const status = await client.send(method, path, headers, body).then(
        (answer) => answer.status,
        () => 0,
      );
      counts[status] = (counts[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, sender));
  client.close();
  return counts;
}

if (process.argv[1] === import.meta.filename) serveTask(send);
