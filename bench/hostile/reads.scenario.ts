/**
 * One tenant sends the most expensive reads, twenty at a time, and drops half of them; another one lists its traces meanwhile, and both send
 * spans. `--spans N` (20,000; the real size is 500,000), `--store DIR` keeps the store, `--seconds S` for each part (10).
 */
import { parseArgs } from 'node:util';
import { HttpClient } from '../gateway/http-client.ts';
import { quantile } from '../measure/quantiles.ts';
import { heavyReads, keepSending, sendHeavy } from './heavy-reads.ts';
import { type LoadedCloud, openLoadedCloud, type TenantSide, traceHeaders } from './loaded-cloud.ts';
import type { Verdict } from './scenario.ts';

const readerFreeMs = 1000;
const rounds = 5;

interface Measurement {
  lists: number[];
  searches: number[];
  acmeIngest: number[];
  boltIngest: number[];
  failures: string[];
}

export async function run(options: string[]): Promise<Verdict[]> {
  const { values } = parseArgs({ args: options, options: { spans: { type: 'string' }, seconds: { type: 'string' } }, strict: false });
  const spans = Number(values.spans ?? 20_000);
  const ms = Number(values.seconds ?? 10) * 1000;
  const cloud = await openLoadedCloud(options, spans);
  try {
    const reads = heavyReads(spans);
    await measure(cloud, 2000);
    const quiet = await measure(cloud, ms);
    const load = keepSending(cloud, cloud.bolt, reads);
    const loaded = await measure(cloud, ms);
    const statuses = await load.end();
    const freed = await measureFreed(cloud, spans);
    process.stdout.write(`responses to bolt: ${[...statuses].map(([status, count]) => `${status || 'dropped'} ${count}`).join(', ')}\n`);
    return [
      judge('acme lists traces', quiet.lists, loaded.lists),
      judge('acme searches traces', quiet.searches, loaded.searches),
      judge('acme sends spans', quiet.acmeIngest, loaded.acmeIngest),
      judge('bolt sends spans', quiet.boltIngest, loaded.boltIngest),
      { ok: loaded.failures.length === 0, what: `refused meanwhile: ${loaded.failures.length} ${loaded.failures.slice(0, 3).join('; ')}` },
      ...freed,
    ];
  } finally {
    await cloud.stop();
  }
}

async function measure({ url, acme, bolt }: LoadedCloud, ms: number): Promise<Measurement> {
  const client = new HttpClient(url, 8);
  const until = performance.now() + ms;
  const measurement: Measurement = { lists: [], searches: [], acmeIngest: [], boltIngest: [], failures: [] };
  const repeat = async (
    times: number[],
    side: TenantSide,
    pauseMs: number,
    send: [string, string, Record<string, string>?, Uint8Array?],
  ) => {
    const [method, path, headers = {}, body] = send;
    while (performance.now() < until) {
      const answer = await client.send(method, path, { ...side.headers, ...headers }, body);
      times.push(answer.ms);
      if (answer.status !== 200) measurement.failures.push(`${method} ${path} ${answer.status}`);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  };
  const search = Buffer.from('{}');
  await Promise.all([
    repeat(measurement.lists, acme, 50, ['GET', '/v1/traces?limit=50']),
    repeat(measurement.searches, acme, 50, ['POST', '/v1/traces/search', { 'Content-Type': 'application/json' }, search]),
    repeat(measurement.acmeIngest, acme, 200, ['POST', '/v1/traces', traceHeaders(acme), acme.body]),
    repeat(measurement.boltIngest, bolt, 200, ['POST', '/v1/traces', traceHeaders(bolt), bolt.body]),
  ]);
  client.close();
  return measurement;
}

/** Sends and drops twenty reads, then measures how long both tenants wait for a list. */
async function measureFreed(cloud: LoadedCloud, spans: number): Promise<Verdict[]> {
  const reads = heavyReads(spans);
  const client = new HttpClient(cloud.url, 2);
  const waits: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const sent = Array.from({ length: 20 }, (_, at) =>
      sendHeavy(cloud, cloud.bolt, reads[(at + round) % reads.length] as (typeof reads)[0]),
    );
    await new Promise((resolve) => setTimeout(resolve, 400));
    for (const read of sent) read.drop();
    const lists = [cloud.acme, cloud.bolt].map(({ headers }) => client.send('GET', '/v1/traces?limit=50', headers));
    for (const { status, ms } of await Promise.all(lists)) waits.push(status === 200 ? ms : Number.POSITIVE_INFINITY);
  }
  client.close();
  const most = Math.max(...waits);
  return [
    { ok: most <= readerFreeMs, what: `after 20 dropped reads the next lists took at most ${most.toFixed(0)} ms (limit ${readerFreeMs})` },
  ];
}

/** The limit is three times the p99 of the quiet gateway, plus 200 ms. */
function judge(what: string, quiet: readonly number[], loaded: readonly number[]): Verdict {
  const [before, after] = [quantile(quiet, 0.99), quantile(loaded, 0.99)];
  const most = 3 * before + 200;
  const p50 = `p50 ${quantile(quiet, 0.5).toFixed(0)} -> ${quantile(loaded, 0.5).toFixed(0)} ms`;
  const p99 = `p99 ${before.toFixed(0)} -> ${after.toFixed(0)} ms (limit ${most.toFixed(0)})`;
  return { ok: loaded.length > 0 && after <= most, what: `${what}: ${p50}, ${p99}, n ${quiet.length} and ${loaded.length}` };
}
