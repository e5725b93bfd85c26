/**
 * `npm run bench:history`: a gigabyte of session files of coding agents. How soon the first page of it is in the list, when all of it is, what an
 * ordinary sender notices meanwhile, and how much memory the gateway takes. `-- --mb 100`. Fails when the first page takes more than 3 seconds, or
 * the gateway more than 400 MB.
 */
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { historyAgents } from '../shared/contract/viewer/agent-history.ts';
import { type GatewayProcess, spawnGateway } from './gateway/gateway-process.ts';
import { HttpClient } from './gateway/http-client.ts';
import { makeScratchFolder, removeFolder } from './gateway/scratch-folder.ts';
import { writeSessionFiles } from './history/session-files.ts';
import { quantile } from './measure/quantiles.ts';
import { AgentStream } from './traffic/agent-stream.ts';
import { encodeJson } from './traffic/encode-json.ts';
import { agentService } from './traffic/span.ts';

const { values } = parseArgs({
  options: {
    mb: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '20' },
    'at-most': { type: 'string', default: '1800' },
  },
});

const firstPageMsMax = 3_000;
const rssMax = 400e6;
const pageRows = 50;
const batchesPerS = 10;
const spansPerBatch = 30;

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const round = (ms: number): string => `${Math.round(ms)} ms`;

interface Listed {
  data: unknown[];
}
interface Histories {
  data: { state: string; sessions: number; sessions_read: number; traces: number; problem: string | null; left_out: string[] }[];
}

const folder = makeScratchFolder('bench-history');
try {
  const home = join(folder, 'home');
  print(`writing session files; load ${loadavg()[0]?.toFixed(1)}`);
  const { files, bytes } = writeSessionFiles(home, Number(values.mb) * 1e6);
  print(`${files} session files, ${Math.round(bytes / 1e6)} MB`);
  const without = await inGateway(join(folder, 'without'), home, (url) => sendFor(url, Number(values.seconds) * 1000));
  print(`an ordinary sender without history: ack p50 ${round(quantile(without, 0.5))}, p99 ${round(quantile(without, 0.99))}`);
  await inGateway(join(folder, 'with'), home, measure);
} finally {
  removeFolder(folder);
}

async function inGateway<T>(dataDir: string, home: string, work: (url: string, gateway: GatewayProcess) => Promise<T>): Promise<T> {
  const names = ['CLAUDE_CONFIG_DIR', 'CODEX_HOME', 'GEMINI_CLI_HOME', 'PI_CODING_AGENT_DIR', 'PI_CODING_AGENT_SESSION_DIR'];
  const unset = Object.fromEntries(names.map((name) => [name, undefined]));
  const gateway = spawnGateway(dataDir, 0, { environment: { ...unset, HOME: home } });
  try {
    return await work(await gateway.ready, gateway);
  } finally {
    await gateway.stop();
  }
}

async function measure(url: string, gateway: GatewayProcess): Promise<void> {
  const client = new HttpClient(url, 2);
  // The page that offers the history has looked what there is.
  const look = await client.get('/v1/viewer/agent-history');
  print(`looking what there is: ${round(look.ms)}`);
  const before = rssOf(gateway.pid);
  const began = performance.now();
  await client.send(
    'PUT',
    '/v1/viewer/agent-history',
    { 'content-type': 'application/json' },
    Buffer.from(JSON.stringify({ agents: historyAgents, is_shown: true })),
  );
  while ((await client.json<Listed>(`/v1/traces?limit=${pageRows}`)).data.length < pageRows) await sleep(20);
  const firstPageMs = performance.now() - began;
  print(`first page of ${pageRows} traces: ${round(firstPageMs)} (goal ${firstPageMsMax} ms)`);

  const during = new AbortController();
  const sending = sendFor(url, Number.POSITIVE_INFINITY, during.signal);
  let rss = 0;
  let history: Histories['data'] = [];
  const limit = Number(values['at-most']) * 1000;
  for (let at = 0; ; at++) {
    rss = Math.max(rss, rssOf(gateway.pid));
    await sleep(200);
    if (at % 5 > 0) continue;
    history = (await client.json<Histories>('/v1/viewer/agent-history')).data;
    if (at % 150 === 0) print(`  ${Math.round((performance.now() - began) / 1000)} s: ${shown(history)}, ${Math.round(rss / 1e6)} MB`);
    if (history.every(({ state }) => state === 'up-to-date') || performance.now() - began > limit) break;
  }
  const allMs = performance.now() - began;
  during.abort();
  const ack = await sending;
  client.close();
  const isAll = history.every(({ state }) => state === 'up-to-date');
  print(`${isAll ? 'all read' : 'not all read'}: ${(allMs / 1000).toFixed(1)} s, ${shown(history)}`);
  for (const { problem, left_out } of history) for (const line of [problem, ...left_out]) if (line) print(`  ${line}`);
  print(`an ordinary sender meanwhile: ack p50 ${round(quantile(ack, 0.5))}, p99 ${round(quantile(ack, 0.99))}, ${ack.length} requests`);
  print(`memory of the gateway: ${Math.round(rss / 1e6)} MB at most, ${Math.round(before / 1e6)} MB before (goal ${rssMax / 1e6} MB)`);
  print(`load ${loadavg()[0]?.toFixed(1)}`);
  if (firstPageMs > firstPageMsMax || rss > rssMax) process.exitCode = 1;
}

function shown(history: Histories['data']): string {
  const sum = (of: (agent: Histories['data'][number]) => number) => history.reduce((total, agent) => total + of(agent), 0);
  return `${sum(({ sessions_read }) => sessions_read)} of ${sum(({ sessions }) => sessions)} sessions, ${sum(({ traces }) => traces)} traces`;
}

/** @returns the times to the acknowledgement in milliseconds */
async function sendFor(url: string, ms: number, signal?: AbortSignal): Promise<number[]> {
  const client = new HttpClient(url, 4);
  const stream = new AgentStream('history', Date.now() - 3_600_000);
  const ack: number[] = [];
  const sending: Promise<void>[] = [];
  const began = performance.now();
  for (let index = 0; performance.now() - began < ms && !signal?.aborted; index++) {
    const spans = [];
    while (spans.length < spansPerBatch) spans.push(...stream.next());
    const body = encodeJson(spans, agentService);
    sending.push(
      client.send('POST', '/v1/traces', { 'content-type': 'application/json' }, body).then(({ status, ms: took }) => {
        if (status !== 200) throw new Error(`Ingest answered ${status}`);
        ack.push(took);
      }),
    );
    await sleep(Math.max(0, began + ((index + 1) * 1000) / batchesPerS - performance.now()));
  }
  await Promise.all(sending);
  client.close();
  return ack;
}

/** Resident memory in bytes. */
function rssOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
}
