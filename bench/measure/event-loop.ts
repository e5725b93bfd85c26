/** How long the event loop of the HTTP process is blocked by the largest bodies, and the effect on readers. */
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

export interface Delay {
  maxMs: number;
  p99Ms: number;
  /** The longest turn in CPU time of the thread: the part of `maxMs` that other load on the machine does not cause. */
  ownMaxMs: number;
  /** Response time of a list that is read every few milliseconds meanwhile. */
  listP95: number;
}

export interface LoopMeasure extends Delay {
  format: Format;
  bodyMegabytes: number;
  spans: number;
  ackMs: number[];
}

export interface EventLoop {
  /** The same reads without ingest: the delay that the machine itself causes. */
  control: Delay;
  bodies: LoopMeasure[];
}

const decodedBytesMax = 20 * 1024 * 1024;
const bodiesPerFormat = 5;
const controlMs = 5000;

type SendToHost = (request: HostRequest) => Promise<HostReply>;

export async function measureEventLoop(): Promise<EventLoop> {
  const dataDir = makeScratchFolder('loop');
  const host = startHelper(new URL('./loop-host.ts', import.meta.url));
  const sendToHost: SendToHost = async (request) => {
    const reply = once(host, 'message') as Promise<[HostReply]>;
    host.send(request);
    return (await reply)[0];
  };
  const started = await sendToHost({ kind: 'start', dataDir });
  if (started.kind !== 'started') throw new Error('The host did not start its gateway');
  const { url } = started;
  const stream = new AgentStream('loop', Date.now() - 3_600_000);
  await delayWhile(url, sendToHost, () => sleep(controlMs / 5));
  const control = await delayWhile(url, sendToHost, () => sleep(controlMs));
  const bodies: LoopMeasure[] = [];
  for (const format of ['json', 'json-gzip', 'protobuf'] as const) bodies.push(await measureFormat(url, format, stream, sendToHost));
  await sendToHost({ kind: 'stop' });
  removeFolder(dataDir);
  return { control, bodies };
}

async function measureFormat(url: string, format: Format, stream: AgentStream, sendToHost: SendToHost): Promise<LoopMeasure> {
  const batches = Array.from({ length: bodiesPerFormat }, () => largestBatch(stream));
  const bodies = batches.map((spans) => encode(spans, agentService, format));
  const writer = new HttpClient(url, 1);
  const ackMs: number[] = [];
  const delay = await delayWhile(url, sendToHost, async () => {
    for (const body of bodies) {
      const { status, ms, body: answer } = await writer.send('POST', '/v1/traces', headersOf(format), body);
      if (status !== 200) throw new Error(`A body of ${body.length} bytes was answered ${status} ${answer.toString()}`);
      ackMs.push(ms);
    }
  });
  writer.close();
  const bodyMegabytes = Math.max(...bodies.map(({ length }) => length)) / 1e6;
  const spans = batches.reduce((most, { length }) => Math.max(most, length), 0);
  return { ...delay, format, bodyMegabytes, spans, ackMs };
}

/** Measures the delay of the host's event loop while `work` runs and a client reads the list. */
async function delayWhile(url: string, sendToHost: SendToHost, work: () => Promise<void>): Promise<Delay> {
  const reader = new HttpClient(url, 1);
  const list: number[] = [];
  let isWorking = true;
  await sendToHost({ kind: 'reset' });
  const reading = (async () => {
    while (isWorking) {
      list.push((await reader.get('/v1/traces?limit=50')).ms);
      await sleep(5);
    }
  })();
  await work();
  isWorking = false;
  await reading;
  reader.close();
  const delay = await sendToHost({ kind: 'read' });
  if (delay.kind !== 'delay') throw new Error('The host did not report its delay');
  const { maxMs, p99Ms, ownMaxMs } = delay;
  return { maxMs, p99Ms, ownMaxMs, listP95: quantile(list, 0.95) };
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** As many spans as a request may contain, by their size as JSON, which is the largest format. */
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
