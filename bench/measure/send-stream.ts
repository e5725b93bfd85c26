/**
 * A load generator for more spans than fit on the disk as bodies: it makes them while it sends them, in a process of its own. Its CPU time
 * is high, so the rate is not comparable with that of prepared bodies.
 */
import { HttpClient } from '../gateway/http-client.ts';
import { AgentStream } from '../traffic/agent-stream.ts';
import { encode, type Format, headersOf } from '../traffic/formats.ts';
import { agentService, type Span } from '../traffic/span.ts';
import { serveTask } from './helper-process.ts';

export interface StreamTask {
  url: string;
  seed: string;
  format: Format;
  spans: number;
  connections: number;
}

export interface StreamResult {
  spans: number;
  traces: number;
  wallS: number;
}

const batchSpans = 500;

async function send({ url, seed, format, spans, connections }: StreamTask): Promise<StreamResult> {
  const client = new HttpClient(url, connections);
  const stream = new AgentStream(seed, Date.now() - 22 * 3_600_000);
  const headers = headersOf(format);
  const began = performance.now();
  let sent = 0;
  const sender = async (): Promise<void> => {
    while (sent < spans) {
      const batch: Span[] = [];
      while (batch.length < batchSpans) batch.push(...stream.next());
      sent += batch.length;
      const { status, body } = await client.send('POST', '/v1/traces', headers, encode(batch, agentService, format));
      if (status !== 200) throw new Error(`POST /v1/traces answered ${status} ${body.subarray(0, 200).toString()}`);
    }
  };
  await Promise.all(Array.from({ length: connections }, sender));
  client.close();
  return { spans: sent, traces: stream.traceCount, wallS: (performance.now() - began) / 1000 };
}

serveTask(send);
