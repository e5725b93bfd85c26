/** The load generator, in a process of its own: a closed loop over a few connections, with bodies read from files. */
import { HttpClient } from '../gateway/http-client.ts';
import { type BodyIndex, BodyReader } from '../traffic/bodies.ts';
import { type Format, headersOf } from '../traffic/formats.ts';
import { serveTask } from './helper-process.ts';

export interface SendTask {
  url: string;
  index: BodyIndex;
  format: Format;
  /** Requests from `from` up to, not including, `to`. */
  from: number;
  to: number;
  connections: number;
}

export interface SendResult {
  spans: number;
  bytes: number;
  wallS: number;
  /** CPU time of the generator. */
  cpuS: number;
  /** Milliseconds to the acknowledgement of each request. */
  ackMs: number[];
  failures: string[];
}

async function send({ url, index, format, from, to, connections }: SendTask): Promise<SendResult> {
  const client = new HttpClient(url, connections);
  const reader = new BodyReader(index, format);
  const headers = headersOf(format);
  const result: SendResult = { spans: 0, bytes: 0, wallS: 0, cpuS: 0, ackMs: [], failures: [] };
  let next = from;
  const sender = async (): Promise<void> => {
    while (next < to) {
      const request = next++;
      const body = reader.read(request);
      const { status, ms, body: response } = await client.send('POST', '/v1/traces', headers, body);
      result.ackMs.push(ms);
      result.bytes += body.length;
      if (status === 200) result.spans += index.spans[request] as number;
      else result.failures.push(`${status} ${response.subarray(0, 200).toString()}`);
    }
  };
  const began = performance.now();
  const cpuBefore = process.cpuUsage();
  await Promise.all(Array.from({ length: connections }, sender));
  const { user, system } = process.cpuUsage(cpuBefore);
  result.wallS = (performance.now() - began) / 1000;
  result.cpuS = (user + system) / 1e6;
  client.close();
  reader.close();
  return result;
}

serveTask(send);
