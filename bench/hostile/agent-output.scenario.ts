/**
 * `npm run test:hostile -- agent-output [--seconds 10] [--kind NAME]`: two coding agents print as fast as they can, each kind of output in
 * its turn, and nobody else may notice. Beside the waits it tells of the gateway's memory: before, at most, and afterwards.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as after } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Bootstrapped } from '../../server/entry/bootstrap.ts';
import { bootstrapCloud, spawnCloud } from '../forward/cloud-process.ts';
import { makeScratchFolder, removeFolder } from '../gateway/scratch-folder.ts';
import { judgeWaits, probeIdle, probeWhile, type Waits } from './health-probe.ts';
import type { Verdict } from './scenario.ts';

const agentCount = 2;
const sampleMs = 100;
const settleMs = 5000;
/** What the gateway's memory may grow by, in MiB. Before output was held back two agents took 290. */
const growthMiBMax = 150;

/** The agent is a shell, and its task what it runs. */
const command = JSON.stringify(['sh']);
const tasks: Record<string, string> = {
  'empty lines': `exec yes ''`,
  'escape sequences': `exec yes "$(printf '\\033[31mred\\033[0m \\033]0;title\\007 \\033[1;2;3')"`,
  'result lines': `exec yes '{"type":"result","result":"done","session_id":"a-1","total_cost_usd":0.5}'`,
  'JSON lines of 1 MiB': `x=$(head -c 1000000 /dev/zero | tr '\\0' x)
    for i in 1 2 3 4 5 6 7 8; do printf '{"type":"text","text":"%s"}\\n' "$x"; done > lines
    while :; do cat lines; done`,
  'result lines of 1 MiB': `x=$(head -c 1000000 /dev/zero | tr '\\0' x)
    for i in 1 2 3 4 5 6 7 8; do printf '{"type":"result","result":"%s"}\\n' "$x"; done > lines
    while :; do cat lines; done`,
  'no line at all': `tr '\\0' x < /dev/zero`,
};

interface Stand {
  url: string;
  pid: number;
  headers: Record<string, string>;
}

export async function run(options: string[]): Promise<Verdict[]> {
  const { values } = parseArgs({ args: options, options: { seconds: { type: 'string', default: '10' }, kind: { type: 'string' } } });
  const kinds = Object.entries(tasks).filter(([kind]) => values.kind === undefined || kind === values.kind);
  const folder = makeScratchFolder('agent-output');
  const made: Bootstrapped = bootstrapCloud(folder);
  const cloud = spawnCloud(folder, 0, { GLASSHOUSE_WORKERS: 'process', GLASSHOUSE_WORKER_COMMAND: command });
  try {
    const headers = { Authorization: made.api_key, 'X-Service-App-Id': made.app_id, 'Content-Type': 'application/json' };
    const stand = { url: await cloud.ready, pid: cloud.pid, headers };
    const idle = await probeIdle(stand.url);
    const verdicts: Verdict[] = [];
    for (const [kind, task] of kinds) verdicts.push(...(await judge(stand, idle, kind, task, Number(values.seconds) * 1000)));
    return verdicts;
  } finally {
    await cloud.stop();
    removeFolder(folder);
  }
}

async function judge(stand: Stand, idle: Waits, kind: string, task: string, ms: number): Promise<Verdict[]> {
  const before = memoryMiB(stand.pid);
  const { waits, result: most } = await probeWhile(stand.url, async () => {
    const runs = await Promise.all(Array.from({ length: agentCount }, () => begin(stand, task)));
    const peak = await watchMemory(stand.pid, ms);
    await Promise.all(runs.map((id) => end(stand, id)));
    return peak;
  });
  await after(settleMs);
  const figures = `${before} MiB before, ${most} at most, ${memoryMiB(stand.pid)} after ${settleMs / 1000} s`;
  return [judgeWaits(kind, idle, waits), { what: `${kind}: memory ${figures}`, ok: most - before <= growthMiBMax }];
}

async function ask<T>({ url, headers }: Stand, path: string, body?: object): Promise<T> {
  const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const response = await fetch(url + path, { headers, ...sent });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { data: T }).data;
}

const begin = async (stand: Stand, task_prompt: string): Promise<string> =>
  (await ask<{ run_id: string }>(stand, '/v1/workers/runs', { task_prompt })).run_id;

async function end(stand: Stand, id: string): Promise<void> {
  const { status } = await ask<{ status: string }>(stand, `/v1/workers/runs/${id}`);
  if (status !== 'running') throw new Error(`The agent was to print until it is ended, and its run has ${status}`);
  await ask(stand, `/v1/workers/runs/${id}/cancel`, {});
  for (;;) {
    const { status } = await ask<{ status: string }>(stand, `/v1/workers/runs/${id}`);
    if (status === 'cancelled') return;
    await after(sampleMs);
  }
}

async function watchMemory(pid: number, ms: number): Promise<number> {
  let most = 0;
  for (const until = performance.now() + ms; performance.now() < until; await after(sampleMs)) most = Math.max(most, memoryMiB(pid));
  return most;
}

/** Resident. */
const memoryMiB = (pid: number): number =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024);
