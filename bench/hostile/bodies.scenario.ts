/**
 * Bodies and files that are as heavy as they may be, or heavier. Nobody else may notice: `/health` is asked all the while, from a process of
 * its own, and the sender is another.
 *
 * `npm run test:hostile -- bodies [bombs] [keyed] [evals] [sessions] [dataset] [archive] [--times N] [--megabytes N]`: all parts when none is
 * named. `--times` is how often each request is sent (120 bombs, 10 others), `--megabytes` the size of the dataset (57) and the traces (100).
 */
import { parseArgs } from 'node:util';
import type { Bootstrapped } from '../../server/entry/bootstrap.ts';
import { bootstrapCloud, spawnCloud } from '../forward/cloud-process.ts';
import { spawnGateway } from '../gateway/gateway-process.ts';
import { makeScratchFolder, removeFolder } from '../gateway/scratch-folder.ts';
import { bombAsks, sessionAsks, trialAsks } from './bodies-cloud.ts';
import { archiveOf, datasetAsks, exportAsk, importAsk, storeTraces, writeDatasets } from './bodies-local.ts';
import { judgeWaits, probeIdle, probeWhile, type Waits } from './health-probe.ts';
import type { Verdict } from './scenario.ts';
import { type Ask, type StatusCounts, sendAsks } from './send-asks.ts';

interface Sizes {
  times: number | null;
  megabytes: number | null;
}

type Part = (url: string, sizes: Sizes, account: Bootstrapped) => Promise<{ asks: Ask[]; connections: number }>;

const cloudParts: Record<string, Part> = {
  bombs: async (_, { times }) => ({ asks: bombAsks(times ?? 120, null), connections: 8 }),
  keyed: async (_, { times }, account) => ({ asks: bombAsks(times ?? 4, account), connections: 8 }),
  evals: async (url, { times }, account) => ({ asks: await trialAsks(url, account, times ?? 10), connections: 2 }),
  sessions: async (_, { times }, account) => ({ asks: sessionAsks(account, times ?? 10), connections: 2 }),
};

const localParts: Record<string, Part> = {
  dataset: async (_, { times }) => ({ asks: datasetAsks(times ?? 3), connections: 2 }),
  archive: async (url, { times, megabytes }) => {
    const ids = await storeTraces(url, megabytes ?? 100);
    const archive = await archiveOf(url, ids);
    const asks = [exportAsk(ids, 'capsule', times ?? 2), exportAsk(ids, 'otlp', times ?? 2), importAsk(archive, times ?? 2)];
    return { asks, connections: 1 };
  },
};

export async function run(options: string[]): Promise<Verdict[]> {
  const { values, positionals } = parseArgs({
    args: options,
    options: { times: { type: 'string' }, megabytes: { type: 'string' } },
    allowPositionals: true,
  });
  const number = (text: string | undefined) => (text === undefined ? null : Number(text));
  const sizes = { times: number(values.times), megabytes: number(values.megabytes) };
  const isAsked = ([name]: [string, Part]) => positionals.length === 0 || positionals.includes(name);
  return [
    ...(await onCloud(Object.entries(cloudParts).filter(isAsked), sizes)),
    ...(await onLocal(Object.entries(localParts).filter(isAsked), sizes)),
  ];
}

async function onCloud(parts: [string, Part][], sizes: Sizes): Promise<Verdict[]> {
  if (parts.length === 0) return [];
  const folder = makeScratchFolder('bodies');
  const account = bootstrapCloud(folder);
  const cloud = spawnCloud(folder);
  try {
    return await judgeAll(await cloud.ready, parts, sizes, account);
  } finally {
    await cloud.stop();
    removeFolder(folder);
  }
}

async function onLocal(parts: [string, Part][], sizes: Sizes): Promise<Verdict[]> {
  if (parts.length === 0) return [];
  const folder = makeScratchFolder('bodies');
  writeDatasets(folder, sizes.megabytes ?? 57);
  const gateway = spawnGateway(folder);
  try {
    return await judgeAll(await gateway.ready, parts, sizes, {} as Bootstrapped);
  } finally {
    await gateway.stop();
    removeFolder(folder);
  }
}

async function judgeAll(url: string, parts: [string, Part][], sizes: Sizes, account: Bootstrapped): Promise<Verdict[]> {
  const idle = await probeIdle(url);
  const verdicts: Verdict[] = [];
  for (const [name, part] of parts) verdicts.push(await judge(url, name, idle, await part(url, sizes, account)));
  return verdicts;
}

async function judge(url: string, name: string, idle: Waits, { asks, connections }: Awaited<ReturnType<Part>>): Promise<Verdict> {
  const began = performance.now();
  const { waits, result } = await probeWhile(url, () => sendAsks(url, asks, connections));
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  return judgeWaits(`${name}, answered ${tell(result)} in ${seconds} s`, idle, waits);
}

const tell = (counts: StatusCounts) =>
  Object.entries(counts)
    .map(([status, count]) => `${count} × ${status === '0' ? 'cut' : status}`)
    .join(', ');
