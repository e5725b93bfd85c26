/**
 * A gateway forwards over an unreliable connection. In the end its store and the cloud's must have the same spans. Also measures
 * acknowledgements, which should be nearly as fast as without forwarding.
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
import { waitUntilDrained } from './outbox-watch.ts';
import { compareContents, compareStores, type StoreComparison, scoreValues } from './same-spans.ts';

export interface ChaosOptions {
  spans: number;
  seed: string;
  log: (line: string) => void;
}

export interface ChaosResult {
  comparison: StoreComparison;
  scores: StoreComparison;
  /** How many of the `compared` spans have other contents in the cloud. */
  different: number;
  compared: number;
  fates: Record<string, number>;
  drainS: number;
  peakRss: number;
  /** Milliseconds to the acknowledgement, measured in alternating turns with and without forwarding. */
  ackMs: { alone: number[]; forwarding: number[] };
}

const format = 'protobuf-gzip';
/** Turns of so many requests, at a steady rate that leaves CPU time for the cloud too. */
const turns = 6;
const turnRequestsMax = 60;
const requestsPerSecond = 10;
const comparedMax = 300;

export async function runChaos({ spans, seed, log }: ChaosOptions): Promise<ChaosResult> {
  const bodies = prepareBodies({ seed, formats: [format], checkpoints: [spans] });
  const [localDir, cloudDir, aloneDir] = [makeScratchFolder('chaos'), makeScratchFolder('chaos-cloud'), makeScratchFolder('chaos-alone')];
  const account = bootstrapCloud(cloudDir);
  const cloud = spawnCloud(cloudDir);
  const proxy = new ChaosProxy(await cloud.ready, seed);
  const local = spawnForwarding(localDir, await proxy.listen(), account);
  const alone = spawnGateway(aloneDir);
  const reader = new BodyReader(bodies, format);
  try {
    // At most half of the requests: the rest is sent as fast as it is acknowledged.
    const turnRequests = Math.min(turnRequestsMax, Math.floor(bodies.spans.length / 2 / turns));
    const ackMs = await takeTurns({ local, alone, localDir, turnRequests, reader, log });
    log('sending the rest as fast as it is acknowledged');
    await sendAll(await local.ready, bodies, reader, turns * turnRequests);
    const { seconds, peakRss } = await waitUntilDrained(localDir, local.pid, log);
    await proxy.settle();
    const files = [telemetryFile(localDir), telemetryFile(cloudDir)] as const;
    const [comparison, scores] = [compareStores(...files), compareStores(...files, scoreValues)];
    const some = await newest(await local.ready);
    const headers = { Authorization: account.api_key, 'X-Service-App-Id': account.app_id };
    const different = await compareContents({ url: await local.ready, headers: {} }, { url: await cloud.ready, headers }, some);
    return { comparison, scores, different, compared: some.length, fates: proxy.counts, drainS: seconds, peakRss, ackMs };
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
  /** Requests per turn. */
  turnRequests: number;
  reader: BodyReader;
  log: ChaosOptions['log'];
}

/** Sends the same requests to both in turn; each turn ends when the outbox is drained, so that the gateway without forwarding is measured alone. */
async function takeTurns({ local, alone, localDir, turnRequests, reader, log }: Turns): Promise<ChaosResult['ackMs']> {
  const ackMs = { alone: [] as number[], forwarding: [] as number[] };
  for (let turn = 0; turn < turns; turn++) {
    const from = turn * turnRequests;
    log(`turn ${turn + 1} of ${turns}`);
    ackMs.alone.push(...(await sendSteadily(await alone.ready, reader, from, turnRequests)));
    ackMs.forwarding.push(...(await sendSteadily(await local.ready, reader, from, turnRequests)));
    await sendScores(await local.ready, `turn ${turn}`);
    await waitUntilDrained(localDir, local.pid);
  }
  return ackMs;
}

/** Sends each request at its scheduled time, whether the previous one was answered or not. */
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
  if (refused) throw new Error(`A valid request was answered ${refused.status}`);
  return all.map(({ ms }) => ms);
}

async function sendAll(url: string, { spans }: BodyIndex, reader: BodyReader, from: number): Promise<void> {
  const client = new HttpClient(url, 4);
  let next = from;
  const sender = async () => {
    while (next < spans.length) {
      const { status } = await client.send('POST', '/v1/traces', headersOf(format), reader.read(next++));
      if (status !== 200) throw new Error(`A valid request was answered ${status}`);
    }
  };
  await Promise.all(Array.from({ length: 4 }, sender));
  client.close();
}

/** Sends a score for each of the newest spans. */
async function sendScores(url: string, reason: string): Promise<void> {
  const scores = (await newest(url)).map(({ span }, number) => ({ resource_id: span, name: 'tone', score: number / comparedMax, reason }));
  const client = new HttpClient(url, 1);
  const headers = { 'Content-Type': 'application/json' };
  const { status } = await client.send('POST', '/v1/scores/batch', headers, Buffer.from(JSON.stringify({ scores })));
  client.close();
  if (status !== 201) throw new Error(`Valid scores were answered ${status}`);
}

/** The newest spans, at most `comparedMax` of them. */
async function newest(url: string): Promise<{ trace: string; span: string }[]> {
  const client = new HttpClient(url, 1);
  const { data } = await client.json<{ data: { id: string; trace_id: string }[] }>(`/v1/spans?limit=${comparedMax}`);
  client.close();
  return data.map(({ id, trace_id }) => ({ trace: trace_id, span: id }));
}

export const percentiles = (ms: readonly number[]) => ({ p50: quantile(ms, 0.5), p95: quantile(ms, 0.95), p99: quantile(ms, 0.99) });
