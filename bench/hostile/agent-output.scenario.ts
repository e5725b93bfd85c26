/**
 * `npm run test:hostile -- agent-output [--seconds 10] [--kind NAME]`: two coding agents print as fast as they can, one kind of output after
 * the other; other clients must not be affected. Reports response times and the gateway's memory: before, peak, and afterwards.
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
/** Limit for the growth of the gateway's memory, in MiB. It was 290 with two agents before backpressure on their output. */
const growthMiBMax = 150;

/** The agent is a shell, and its task is the command that it runs. */
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

interface Target {
  url: string;
  pid: number;
  headers: Record<string, string>;
}

export async function run(options: string[]): Promise<Verdict[]> {
  const { values } = parseArgs({ args: options, options: { seconds: { type: 'string', default: '10' }, kind: { type: 'string' } } });
  const kinds = Object.entries(tasks).filter(([kind]) => values.kind === undefined || kind === values.kind);
  const folder = makeScratchFolder('agent-output');
  const account: Bootstrapped = bootstrapCloud(folder);
  const cloud = spawnCloud(folder, 0, { GLASSHOUSE_WORKERS: 'process', GLASSHOUSE_WORKER_COMMAND: command });
  try {
    const headers = { Authorization: account.api_key, 'X-Service-App-Id': account.app_id, 'Content-Type': 'application/json' };
    const target = { url: await cloud.ready, pid: cloud.pid, headers };
    const idle = await probeIdle(target.url);
    const verdicts: Verdict[] = [];
    for (const [kind, task] of kinds) verdicts.push(...(await judge(target, idle, kind, task, Number(values.seconds) * 1000)));
    return verdicts;
  } finally {
    await cloud.stop();
    removeFolder(folder);
  }
}

async function judge(target: Target, idle: Waits, kind: string, task: string, ms: number): Promise<Verdict[]> {
  const before = memoryMiB(target.pid);
  const { waits, result: peak } = await probeWhile(target.url, async () => {
    const runs = await Promise.all(Array.from({ length: agentCount }, () => startRun(target, task)));
    const peak = await watchMemory(target.pid, ms);
    await Promise.all(runs.map((id) => cancelRun(target, id)));
    return peak;
  });
  await after(settleMs);
  const figures = `${before} MiB before, ${peak} peak, ${memoryMiB(target.pid)} after ${settleMs / 1000} s`;
  return [judgeWaits(kind, idle, waits), { what: `${kind}: memory ${figures}`, ok: peak - before <= growthMiBMax }];
}

async function callApi<T>({ url, headers }: Target, path: string, body?: object): Promise<T> {
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const response = await fetch(url + path, { headers, ...init });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { data: T }).data;
}

const startRun = async (target: Target, task_prompt: string): Promise<string> =>
  (await callApi<{ run_id: string }>(target, '/v1/workers/runs', { task_prompt })).run_id;

async function cancelRun(target: Target, id: string): Promise<void> {
  const { status } = await callApi<{ status: string }>(target, `/v1/workers/runs/${id}`);
  if (status !== 'running') throw new Error(`The agent should print until it is cancelled, but its run is ${status}`);
  await callApi(target, `/v1/workers/runs/${id}/cancel`, {});
  for (;;) {
    const { status } = await callApi<{ status: string }>(target, `/v1/workers/runs/${id}`);
    if (status === 'cancelled') return;
    await after(sampleMs);
  }
}

async function watchMemory(pid: number, ms: number): Promise<number> {
  let peak = 0;
  for (const until = performance.now() + ms; performance.now() < until; await after(sampleMs)) peak = Math.max(peak, memoryMiB(pid));
  return peak;
}

/** Resident memory. */
const memoryMiB = (pid: number): number =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024);
