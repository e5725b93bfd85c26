/** Reads during slow ingest, as when a person watches a screen while agents work. */
import { HttpClient } from '../gateway/http-client.ts';
import { AgentStream } from '../traffic/agent-stream.ts';
import { encodeJson } from '../traffic/encode-json.ts';
import { agentService } from '../traffic/span.ts';
import { quantile } from './quantiles.ts';

export interface MixedMeasure {
  spansPerS: number;
  sentSpans: number;
  list: { p50: number; p95: number; calls: number };
  ackMs: { p50: number; p99: number };
}

const durationMs = 10_000;
const spansPerS = 300;
const batchesPerS = 10;

export async function measureMixed(url: string): Promise<MixedMeasure> {
  const stream = new AgentStream('mixed', Date.now() - 3_600_000);
  const bodies = Array.from({ length: (durationMs / 1000) * batchesPerS }, () => batch(stream));
  const [reader, writer] = [new HttpClient(url, 1), new HttpClient(url, 4)];
  const ack: number[] = [];
  const list: number[] = [];
  const began = performance.now();
  let sentSpans = 0;
  const sending = bodies.map(async ({ body, spans }, index) => {
    await sleep((index * 1000) / batchesPerS);
    const { status, ms } = await writer.send('POST', '/v1/traces', { 'content-type': 'application/json' }, body);
    if (status !== 200) throw new Error(`Ingest answered ${status}`);
    sentSpans += spans;
    ack.push(ms);
  });
  while (performance.now() - began < durationMs) {
    const { ms } = await reader.get('/v1/traces?limit=50');
    list.push(ms);
    await sleep(30);
  }
  await Promise.all(sending);
  for (const client of [reader, writer]) client.close();
  return {
    spansPerS,
    sentSpans,
    list: { p50: quantile(list, 0.5), p95: quantile(list, 0.95), calls: list.length },
    ackMs: { p50: quantile(ack, 0.5), p99: quantile(ack, 0.99) },
  };
}

function batch(stream: AgentStream): { body: Buffer; spans: number } {
  const spans = [];
  while (spans.length < spansPerS / batchesPerS) spans.push(...stream.next());
  return { body: encodeJson(spans, agentService), spans: spans.length };
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
