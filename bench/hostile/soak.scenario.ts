/**
 * Mixed traffic for a while: steady ingest, lists, live streams that are opened and dropped, retention by size and compactions. Memory and
 * open files of the gateway must not grow: in the last third they are at most 10 % above the middle third. `--minutes 10` is the duration.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { setTimeout as after } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { spawnGateway } from '../gateway/gateway-process.ts';
import { HttpClient } from '../gateway/http-client.ts';
import { makeScratchFolder, removeFolder } from '../gateway/scratch-folder.ts';
import { median } from '../measure/quantiles.ts';
import type { Verdict } from './scenario.ts';
import { ingestWhile } from './steady-ingest.ts';

const batchesPerSecond = 20;
const sampleMs = 2000;
const streamsAtOnce = 20;
const growthMax = 1.1;
/** So many additional open files do not count as growth, because connections come and go. */
const filesSlack = 10;
const storeBytesMax = 64 * 1024 * 1024;

const lists = [
  '/v1/traces?limit=50',
  '/v1/viewer/traces?limit=50',
  '/v1/sessions?limit=50',
  '/v1/viewer/trace-facets',
  '/v1/traces?limit=20&offset=500',
];

interface Sample {
  rssMb: number;
  files: number;
}

export async function run(options: string[]): Promise<Verdict[]> {
  const { values } = parseArgs({ args: options, options: { minutes: { type: 'string', default: '1' } } });
  const endsAt = performance.now() + Number(values.minutes) * 60_000;
  const isOver = () => performance.now() > endsAt;
  const folder = makeScratchFolder('soak');
  const gateway = spawnGateway(folder);
  try {
    const url = await gateway.ready;
    await limitStoreSize(url);
    const samples: Sample[] = [];
    const { acks } = await ingestWhile({ url, seed: 'soak', headers: {}, rate: batchesPerSecond }, async () => {
      await Promise.all([read(url, isOver), follow(url, isOver), compact(url, isOver), sample(gateway.pid, samples, isOver)]);
    });
    const ingest = `${acks.spans} spans, acknowledged p50 ${acks.p50.toFixed(0)}, p99 ${acks.p99.toFixed(0)}, max ${acks.max.toFixed(0)} ms`;
    return [
      { ok: acks.failures.length === 0, what: `${ingest}; refused: ${acks.failures.join('; ') || 'none'}` },
      judge(
        'memory, MB',
        samples.map(({ rssMb }) => rssMb),
        0,
      ),
      judge(
        'open files',
        samples.map(({ files }) => files),
        filesSlack,
      ),
    ];
  } finally {
    await gateway.stop();
    removeFolder(folder);
  }
}

function judge(what: string, numbers: number[], slack: number): Verdict {
  const third = Math.floor(numbers.length / 3);
  const [first, middle, last] = [0, 1, 2].map((at) => median(numbers.slice(at * third, (at + 1) * third))) as [number, number, number];
  const thirds = [first, middle, last].map((number) => number.toFixed(0)).join(', ');
  return {
    ok: last <= middle * growthMax + slack,
    what: `${what}: medians of the thirds ${thirds}; maximum ${Math.max(...numbers).toFixed(0)}`,
  };
}

async function limitStoreSize(url: string): Promise<void> {
  const client = new HttpClient(url, 1);
  const body = Buffer.from(JSON.stringify({ keep_days: null, max_bytes: storeBytesMax }));
  const { status } = await client.send('PUT', '/v1/viewer/storage/retention', { 'content-type': 'application/json' }, body);
  client.close();
  if (status !== 200) throw new Error(`PUT retention answered ${status}`);
}

async function read(url: string, isOver: () => boolean): Promise<void> {
  const client = new HttpClient(url, 4);
  for (let at = 0; !isOver(); at++) {
    await client.get(lists[at % lists.length] as string);
    await after(50);
  }
  client.close();
}

/** Opens live streams and drops them. */
async function follow(url: string, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const streams = Array.from({ length: streamsAtOnce }, () => {
      const stream = request(`${url}/v1/viewer/live`, (response) => response.on('error', () => {}).resume());
      stream.on('error', () => {});
      stream.end();
      return stream;
    });
    await after(500);
    for (const stream of streams) stream.destroy();
  }
}

async function compact(url: string, isOver: () => boolean): Promise<void> {
  const client = new HttpClient(url, 1);
  for (let lastAt = performance.now(); !isOver(); await after(500)) {
    if (performance.now() - lastAt < 30_000) continue;
    lastAt = performance.now();
    await client.send('POST', '/v1/viewer/storage/compact', { 'content-type': 'application/json' }, Buffer.from('{}'));
  }
  client.close();
}

async function sample(pid: number, samples: Sample[], isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const rssKb = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
    samples.push({ rssMb: rssKb / 1024, files: readdirSync(`/proc/${pid}/fd`).length });
    await after(sampleMs);
  }
}
