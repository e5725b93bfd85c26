/**
 * Bodies and files at or above the size limits. Other clients must not be affected: a separate process polls `/health` all the time, and
 * another one sends the requests.
 *
 * `npm run test:hostile -- bodies [bombs] [keyed] [evals] [sessions] [dataset] [archive] [--times N] [--megabytes N]`: all parts by
 * default. `--times` is how often each request is sent (120 bombs, 10 others), `--megabytes` the size of the dataset (57) and the traces (100).
 */
import { parseArgs } from 'node:util';
import type { Bootstrapped } from '../../server/entry/bootstrap.ts';
import { bootstrapCloud, spawnCloud } from '../forward/cloud-process.ts';
import { spawnGateway } from '../gateway/gateway-process.ts';
import { makeScratchFolder, removeFolder } from '../gateway/scratch-folder.ts';
import { bombRequests, sessionRequests, trialRequests } from './bodies-cloud.ts';
import { archiveOf, datasetRequests, exportRequest, importRequest, storeTraces, writeDatasets } from './bodies-local.ts';
import { judgeWaits, probeIdle, probeWhile, type Waits } from './health-probe.ts';
import type { Verdict } from './scenario.ts';
import { type RepeatedRequest, type StatusCounts, sendRequests } from './send-requests.ts';

interface Sizes {
  times: number | null;
  megabytes: number | null;
}

type Part = (url: string, sizes: Sizes, account: Bootstrapped) => Promise<{ requests: RepeatedRequest[]; connections: number }>;

const cloudParts: Record<string, Part> = {
  bombs: async (_, { times }) => ({ requests: bombRequests(times ?? 120, null), connections: 8 }),
  keyed: async (_, { times }, account) => ({ requests: bombRequests(times ?? 4, account), connections: 8 }),
  evals: async (url, { times }, account) => ({ requests: await trialRequests(url, account, times ?? 10), connections: 2 }),
  sessions: async (_, { times }, account) => ({ requests: sessionRequests(account, times ?? 10), connections: 2 }),
};

const localParts: Record<string, Part> = {
  dataset: async (_, { times }) => ({ requests: datasetRequests(times ?? 3), connections: 2 }),
  archive: async (url, { times, megabytes }) => {
    const ids = await storeTraces(url, megabytes ?? 100);
    const archive = await archiveOf(url, ids);
    const requests = [
      exportRequest(ids, 'capsule', times ?? 2),
      exportRequest(ids, 'otlp', times ?? 2),
      importRequest(archive, times ?? 2),
    ];
    return { requests, connections: 1 };
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
  const isRequested = ([name]: [string, Part]) => positionals.length === 0 || positionals.includes(name);
  return [
    ...(await onCloud(Object.entries(cloudParts).filter(isRequested), sizes)),
    ...(await onLocal(Object.entries(localParts).filter(isRequested), sizes)),
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

async function judge(url: string, name: string, idle: Waits, { requests, connections }: Awaited<ReturnType<Part>>): Promise<Verdict> {
  const began = performance.now();
  const { waits, result } = await probeWhile(url, () => sendRequests(url, requests, connections));
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  return judgeWaits(`${name}, answered ${format(result)} in ${seconds} s`, idle, waits);
}

const format = (counts: StatusCounts) =>
  Object.entries(counts)
    .map(([status, count]) => `${count} × ${status === '0' ? 'cut' : status}`)
    .join(', ');
