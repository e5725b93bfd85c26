/**
 * Sends batches at a steady rate from a process of its own, whether previous ones were answered or not. Each acknowledgement is timed from
 * the moment at which its batch was due, so that a stall of the gateway counts for every batch that waits for it.
 */
import { once } from 'node:events';
import { setTimeout as after } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { HttpClient } from '../gateway/http-client.ts';
import { startHelper } from '../measure/helper-process.ts';
import { quantile } from '../measure/quantiles.ts';
import { AgentStream } from '../traffic/agent-stream.ts';
import { encode, type Format, headersOf } from '../traffic/formats.ts';
import { agentService, type Span } from '../traffic/span.ts';

const connections = 32;

/** Milliseconds. */
export interface Acks {
  count: number;
  spans: number;
  p50: number;
  p99: number;
  max: number;
  /** The first few responses other than 200. */
  failures: string[];
}

interface Task {
  url: string;
  seed: string;
  headers: Record<string, string>;
  /** Batches each second. */
  rate: number;
  /** Spans of a batch, at least. */
  batchSpans?: number;
  format?: Format;
}

/** Sends while `work` runs. Use a new seed each time: the same seed makes the same spans. */
export async function ingestWhile<T>(task: Task, work: () => Promise<T>): Promise<{ acks: Acks; result: T }> {
  const child = startHelper(new URL(import.meta.url));
  child.send(task);
  await once(child, 'message');
  try {
    const result = await work();
    child.send('end');
    const [acks] = (await once(child, 'message')) as [Acks];
    return { acks, result };
  } finally {
    child.disconnect();
  }
}

async function serve(): Promise<void> {
  const [{ url, seed, headers, rate, batchSpans = 20, format = 'protobuf-gzip' }] = (await once(process, 'message')) as [Task];
  const client = new HttpClient(url, connections);
  const stream = new AgentStream(seed, Date.now() - 22 * 3_600_000);
  const waits: number[] = [];
  const failures: string[] = [];
  const next = () => {
    const spans: Span[] = [];
    while (spans.length < batchSpans) spans.push(...stream.next());
    return { spans: spans.length, body: encode(spans, agentService, format) };
  };
  const send = async (body: Buffer, due: number) => {
    const { status, body: response } = await client.send('POST', '/v1/traces', { ...headersOf(format), ...headers }, body);
    waits.push(performance.now() - due);
    if (status !== 200 && failures.length < 3) failures.push(`${status} ${response.subarray(0, 200).toString()}`);
  };
  // Warms up the compilers and connections.
  for (let warm = 0; warm < 50; warm++) await send(next().body, 0);
  waits.length = 0;
  let isEnding = false;
  process.once('message', () => (isEnding = true));
  process.send?.('started');
  const sent: Promise<void>[] = [];
  let spans = 0;
  for (let due = performance.now(); !isEnding; due += 1000 / rate) {
    const batch = next();
    spans += batch.spans;
    await after(Math.max(0, due - performance.now()));
    sent.push(send(batch.body, due));
  }
  await Promise.all(sent);
  client.close();
  const [p50, p99] = [0.5, 0.99].map((part) => quantile(waits, part)) as [number, number];
  process.send?.({ count: waits.length, spans, p50, p99, max: Math.max(0, ...waits), failures } satisfies Acks);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await serve();
