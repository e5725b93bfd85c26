/** Many live streams at all gateways. */
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { aRequest, aSpan } from '../../../shared/fixtures/otlp.ts';
import { quantile } from '../../measure/quantiles.ts';
import { Random } from '../../traffic/random.ts';
import { loginFor } from './access.ts';
import type { ChaosFleet } from './chaos-fleet.ts';
import { chaosRun, withFleet } from './run.ts';
import { headersOf } from './sender.ts';

const openAtOnce = 20;
/** Limits of each gateway are 8 for a key and 64 for a team (server/limits/share-table.ts). */
const streamsOfKey = 8;
const keysOfTeam = 7;
const betweenSpansMs = 500;
type App = ChaosFleet['apps'][number];

/** Tables that tell whether a credential is still good. */
const admissionTables = ['api_key', 'app', 'tenant', 'session', 'member'];

export const readers = chaosRun({
  about: 'many live streams at all gateways: when a span appears in them, and how often the gateways ask whether they are still admitted',
  sizes: { readers: 1000, spans: 100, seconds: 20, slack: 1 },
  quick: { readers: 90, spans: 20, seconds: 10, slack: 5 },
  run: ({ sizes, seed, instances, log }) =>
    withFleet({ instances, teams: Math.ceil(sizes.readers / (instances * streamsOfKey * keysOfTeam)) }, async (fleet) => {
      const random = new Random(`readers ${seed}`);
      const watch = new Watch();
      const opened = await openStreams(fleet, sizes.readers, (data) => watch.see(data));
      log(`${sizes.readers} streams are open`);
      const reads = await readsPerSecond(fleet, sizes.seconds);
      let expected = 0;
      for (let count = 0; count < sizes.spans; count++) {
        const team = count % fleet.apps.length;
        expected += opened[team] ?? 0;
        const traceId = random.hex(32);
        watch.expect(traceId);
        const body = JSON.stringify(aRequest([aSpan({ traceId, startMs: Date.now() })]));
        const response = await fetch(`${fleet.url}/v1/traces`, { method: 'POST', headers: headersOf(fleet.apps[team] as App), body });
        await response.arrayBuffer();
        await sleep(betweenSpansMs);
      }
      await sleep(2000 * sizes.slack);
      watch.stop();
      const seen = watch.times.length;
      const [p50, p95] = [quantile(watch.times, 0.5), quantile(watch.times, 0.95)];
      const perInstance = reads / instances;
      return {
        figures: [
          `${sizes.readers} streams: a span is in them after ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms; ${seen} of ${expected} seen`,
          `${perInstance.toFixed(1)} control reads a second and gateway while nothing happens`,
        ],
        problems: [
          ...(seen < expected ? [`${expected - seen} events were not seen`] : []),
          ...(p95 > 500 * sizes.slack ? [`p95 is ${p95.toFixed(0)} ms`] : []),
          ...(perInstance > 10 ? [`${perInstance.toFixed(1)} control reads a second and gateway`] : []),
        ],
      };
    }),
});

/** When traces appear in streams. */
class Watch {
  readonly times: number[] = [];
  readonly #sentAt = new Map<string, number>();
  #isOver = false;

  expect(traceId: string): void {
    this.#sentAt.set(traceId, performance.now());
  }

  see(data: string): void {
    if (this.#isOver) return;
    for (const [id] of data.matchAll(/[0-9a-f]{32}/g)) {
      const at = this.#sentAt.get(id);
      if (at !== undefined) this.times.push(performance.now() - at);
    }
  }

  stop(): void {
    this.#isOver = true;
  }
}

interface Stream {
  team: number;
  url: string;
  headers: Record<string, string>;
}

/** They stay open until the fleet stops. @returns their number by team */
async function openStreams(fleet: ChaosFleet, count: number, onData: (data: string) => void): Promise<number[]> {
  const streams = (await streamsOf(fleet)).slice(0, count);
  const queue = streams[Symbol.iterator]();
  const opener = async () => {
    for (const { url, headers } of queue) {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        get(`${url}/v1/viewer/live`, { headers, agent: false }, resolve).on('error', reject);
      });
      if (response.statusCode !== 200) throw new Error(`A stream was answered ${response.statusCode}`);
      response.setEncoding('utf8');
      response.on('data', onData);
      response.on('error', () => {});
    }
  };
  await Promise.all(Array.from({ length: openAtOnce }, opener));
  return fleet.apps.map((_, number) => streams.filter(({ team }) => team === number).length);
}

/** As many as the limits allow, each key and team at every gateway, from many addresses. */
async function streamsOf(fleet: ChaosFleet): Promise<Stream[]> {
  const streams: Stream[] = [];
  for (const [team, app] of fleet.apps.entries()) {
    const login = await loginFor(fleet, app);
    for (let key = 0; key < keysOfTeam; key++) {
      const body = JSON.stringify({ name: `reader ${key}`, permissions: ['trace.read'] });
      const made = await fetch(`${fleet.url}/v1/api-keys`, { method: 'POST', headers: login, body });
      const { data } = (await made.json()) as { data: { plaintext_key: string } };
      const headers = { ...headersOf(app), Authorization: data.plaintext_key, 'X-Forwarded-For': `203.0.${team}.${key}` };
      for (const url of fleet.cluster.instances.values())
        for (let stream = 0; stream < streamsOfKey; stream++) streams.push({ team, url, headers });
    }
  }
  return streams;
}

/** Scans of the tables that admission reads, of all gateways together. */
async function readsPerSecond(fleet: ChaosFleet, seconds: number): Promise<number> {
  const scans = async () => {
    // Connections report what they did a second later.
    await sleep(2_000);
    const sql =
      'SELECT sum(coalesce(seq_scan, 0) + coalesce(idx_scan, 0))::float8 AS scans FROM pg_stat_user_tables WHERE relname = ANY ($1)';
    return (await fleet.control<{ scans: number }>(sql, [admissionTables]))[0]?.scans ?? 0;
  };
  const [before, began] = [await scans(), performance.now()];
  await sleep(seconds * 1000);
  return ((await scans()) - before) / ((performance.now() - began) / 1000);
}
