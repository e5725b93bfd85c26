/**
 * A gateway that forwards over a line of chaos. Its store and the cloud's hold the same spans in the end, and
 * what is sent to it meanwhile is acknowledged nearly as soon as where nothing is forwarded.
 */

import { telemetryFile } from '../../server/telemetry/sqlite/store.ts';
import { type GatewayProcess, spawnGateway } from '../gateway/gateway-process.ts';
import { HttpClient } from '../gateway/http-client.ts';
import { makeScratchFolder, removeFolder } from '../gateway/scratch-folder.ts';
import { quantile } from '../measure/quantiles.ts';
import { type BodyIndex, BodyReader, prepareBodies } from '../traffic/bodies.ts';
import { headersOf } from '../traffic/formats.ts';
import { ChaosProxy } from './chaos-proxy.ts';
import { bootstrapCloud, spawnCloud, spawnForwarding } from './cloud-process.ts';
import { drained } from './outbox-watch.ts';
import { compareContents, compareStores, type Sameness, scoreValues } from './same-spans.ts';

export interface ChaosOptions {
  spans: number;
  seed: string;
  say: (line: string) => void;
}

export interface ChaosResult {
  sameness: Sameness;
  scores: Sameness;
  /** Of `looked` spans, how many read otherwise in the cloud. */
  different: number;
  looked: number;
  fates: Record<string, number>;
  drainS: number;
  peakRss: number;
  /** Acknowledgements, in milliseconds, taken in turns with and without forwarding. */
  ackMs: { alone: number[]; forwarding: number[] };
}

const format = 'protobuf-gzip';
/** In turns of so many requests, at a steady rate that leaves the machine time for the other side too. */
const turns = 6;
const turnRequestsMax = 60;
const requestsPerSecond = 10;
const lookedAt = 300;

export async function runChaos({ spans, seed, say }: ChaosOptions): Promise<ChaosResult> {
  const bodies = prepareBodies({ seed, formats: [format], checkpoints: [spans] });
  const [localDir, cloudDir, aloneDir] = [makeScratchFolder('chaos'), makeScratchFolder('chaos-cloud'), makeScratchFolder('chaos-alone')];
  const account = bootstrapCloud(cloudDir);
  const cloud = spawnCloud(cloudDir);
  const proxy = new ChaosProxy(await cloud.ready, seed);
  const local = spawnForwarding(localDir, await proxy.listen(), account);
  const alone = spawnGateway(aloneDir);
  const reader = new BodyReader(bodies, format);
  try {
    // Half of what there is at most: the rest is sent as fast as it is taken.
    const each = Math.min(turnRequestsMax, Math.floor(bodies.spans.length / 2 / turns));
    const ackMs = await takeTurns({ local, alone, localDir, each, reader, say });
    say('the rest as fast as it is taken');
    await sendAll(await local.ready, bodies, reader, turns * each);
    const { seconds, peakRss } = await drained(localDir, local.pid, say);
    await proxy.settle();
    const files = [telemetryFile(localDir), telemetryFile(cloudDir)] as const;
    const [sameness, scores] = [compareStores(...files), compareStores(...files, scoreValues)];
    const some = await newest(await local.ready);
    const headers = { Authorization: account.api_key, 'X-Service-App-Id': account.app_id };
    const different = await compareContents({ url: await local.ready, headers: {} }, { url: await cloud.ready, headers }, some);
    return { sameness, scores, different, looked: some.length, fates: proxy.counts, drainS: seconds, peakRss, ackMs };
  } finally {
    reader.close();
    await Promise.all([local.kill(), alone.kill(), cloud.kill()]);
    await proxy.close();
    for (const folder of [localDir, cloudDir, aloneDir]) removeFolder(folder);
  }
}

interface Turns {
  local: GatewayProcess;
  alone: GatewayProcess;
  localDir: string;
  /** Requests of a turn. */
  each: number;
  reader: BodyReader;
  say: ChaosOptions['say'];
}

/** The same requests to both; the one without forwarding rests while the other sends, and is asked only when that has sent all. */
async function takeTurns({ local, alone, localDir, each, reader, say }: Turns): Promise<ChaosResult['ackMs']> {
  const ackMs = { alone: [] as number[], forwarding: [] as number[] };
  for (let turn = 0; turn < turns; turn++) {
    const from = turn * each;
    say(`turn ${turn + 1} of ${turns}`);
    ackMs.alone.push(...(await sendSteadily(await alone.ready, reader, from, each)));
    ackMs.forwarding.push(...(await sendSteadily(await local.ready, reader, from, each)));
    await giveScores(await local.ready, `turn ${turn}`);
    await drained(localDir, local.pid);
  }
  return ackMs;
}

/** Each at its time, whether the one before was answered or not. */
async function sendSteadily(url: string, reader: BodyReader, from: number, count: number): Promise<number[]> {
  const client = new HttpClient(url, 8);
  const answers = [];
  const began = performance.now();
  for (let number = 0; number < count; number++) {
    const at = began + (number * 1000) / requestsPerSecond;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, at - performance.now())));
    answers.push(client.send('POST', '/v1/traces', headersOf(format), reader.read(from + number)));
  }
  const all = await Promise.all(answers);
  client.close();
  const refused = all.find(({ status }) => status !== 200);
  if (refused) throw new Error(`A good request was answered ${refused.status}`);
  return all.map(({ ms }) => ms);
}

async function sendAll(url: string, { spans }: BodyIndex, reader: BodyReader, from: number): Promise<void> {
  const client = new HttpClient(url, 4);
  let next = from;
  const sender = async () => {
    while (next < spans.length) {
      const { status } = await client.send('POST', '/v1/traces', headersOf(format), reader.read(next++));
      if (status !== 200) throw new Error(`A good request was answered ${status}`);
    }
  };
  await Promise.all(Array.from({ length: 4 }, sender));
  client.close();
}

/** One for each of the newest spans. */
async function giveScores(url: string, reason: string): Promise<void> {
  const scores = (await newest(url)).map(({ span }, number) => ({ resource_id: span, name: 'tone', score: number / lookedAt, reason }));
  const client = new HttpClient(url, 1);
  const headers = { 'Content-Type': 'application/json' };
  const { status } = await client.send('POST', '/v1/scores/batch', headers, Buffer.from(JSON.stringify({ scores })));
  client.close();
  if (status !== 201) throw new Error(`Good scores were answered ${status}`);
}

/** The newest spans, at most `lookedAt` of them. */
async function newest(url: string): Promise<{ trace: string; span: string }[]> {
  const client = new HttpClient(url, 1);
  const { data } = await client.json<{ data: { id: string; trace_id: string }[] }>(`/v1/spans?limit=${lookedAt}`);
  client.close();
  return data.map(({ id, trace_id }) => ({ trace: trace_id, span: id }));
}

export const percentiles = (ms: readonly number[]) => ({ p50: quantile(ms, 0.5), p95: quantile(ms, 0.95), p99: quantile(ms, 0.99) });
