/** How long the HTTP loop stands still while the largest bodies come in, and what readers notice of it. */
import { once } from 'node:events';
import { HttpClient } from '../gateway/http-client.ts';
import { makeScratchFolder, removeFolder } from '../gateway/scratch-folder.ts';
import { AgentStream } from '../traffic/agent-stream.ts';
import { encodeJson } from '../traffic/encode-json.ts';
import { encode, type Format, headersOf } from '../traffic/formats.ts';
import { agentService, type Span } from '../traffic/span.ts';
import { startHelper } from './helper-process.ts';
import type { HostReply, HostRequest } from './loop-host.ts';
import { quantile } from './quantiles.ts';

export interface LoopMeasure {
  format: Format;
  bodyMegabytes: number;
  spans: number;
  maxMs: number;
  p99Ms: number;
  /** Of a list read every few milliseconds meanwhile. */
  listP95: number;
  ackMs: number[];
}

const decodedBytesMax = 20 * 1024 * 1024;
const bodiesPerFormat = 5;

export async function measureEventLoop(): Promise<LoopMeasure[]> {
  const dataDir = makeScratchFolder('loop');
  const host = startHelper(new URL('./loop-host.ts', import.meta.url));
  const ask = async (request: HostRequest): Promise<HostReply> => {
    const reply = once(host, 'message') as Promise<[HostReply]>;
    host.send(request);
    return (await reply)[0];
  };
  const started = await ask({ kind: 'start', dataDir });
  if (started.kind !== 'started') throw new Error('The host did not start its gateway');
  const stream = new AgentStream('loop', Date.now() - 3_600_000);
  const measures: LoopMeasure[] = [];
  for (const format of ['json', 'json-gzip', 'protobuf'] as const) measures.push(await measureFormat(started.url, format, stream, ask));
  await ask({ kind: 'stop' });
  removeFolder(dataDir);
  return measures;
}

async function measureFormat(
  url: string,
  format: Format,
  stream: AgentStream,
  ask: (request: HostRequest) => Promise<HostReply>,
): Promise<LoopMeasure> {
  const batches = Array.from({ length: bodiesPerFormat }, () => largestBatch(stream));
  const bodies = batches.map((spans) => encode(spans, agentService, format));
  const [writer, reader] = [new HttpClient(url, 2), new HttpClient(url, 1)];
  const list: number[] = [];
  let isLoading = true;
  await ask({ kind: 'reset' });
  const reading = (async () => {
    while (isLoading) {
      list.push((await reader.get('/v1/traces?limit=50')).ms);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  const ackMs: number[] = [];
  for (const body of bodies) {
    const { status, ms, body: answer } = await writer.send('POST', '/v1/traces', headersOf(format), body);
    if (status !== 200) throw new Error(`A body of ${body.length} bytes was answered ${status} ${answer.toString()}`);
    ackMs.push(ms);
  }
  isLoading = false;
  await reading;
  const delay = await ask({ kind: 'read' });
  for (const client of [writer, reader]) client.close();
  if (delay.kind !== 'delay') throw new Error('The host did not tell its delay');
  const bodyMegabytes = Math.max(...bodies.map(({ length }) => length)) / 1e6;
  const spans = batches.reduce((most, { length }) => Math.max(most, length), 0);
  return { format, bodyMegabytes, spans, maxMs: delay.maxMs, p99Ms: delay.p99Ms, listP95: quantile(list, 0.95), ackMs };
}

/** As many spans as a request may hold, by their size as JSON, the largest of the forms. */
function largestBatch(stream: AgentStream): Span[] {
  const batch: Span[] = [];
  let bytes = 0;
  for (;;) {
    const spans = stream.next();
    bytes += encodeJson(spans, agentService).length;
    if (bytes > decodedBytesMax) return batch;
    batch.push(...spans);
  }
}
