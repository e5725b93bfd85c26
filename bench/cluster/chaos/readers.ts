/** Many live streams at all gateways. */
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { aRequest, aSpan } from '../../../shared/fixtures/otlp.ts';
import { Random } from '../../traffic/random.ts';
import type { ChaosFleet } from './chaos-fleet.ts';
import { chaosRun, quantile, withFleet } from './run.ts';
import { headersOf } from './sender.ts';

const openAtOnce = 20;
const betweenSpansMs = 500;
/** Tables that tell whether a credential is still good. */
const admissionTables = ['api_key', 'app', 'tenant', 'session', 'member'];

export const readers = chaosRun({
  about: 'many live streams at all gateways: when a span appears in them, and how often the gateways ask whether they are still admitted',
  sizes: { readers: 1000, spans: 100, seconds: 20, slack: 1 },
  quick: { readers: 90, spans: 20, seconds: 10, slack: 5 },
  run: ({ sizes, seed, instances, log }) =>
    withFleet({ instances, teams: 1 }, async (fleet) => {
      const [app] = fleet.apps as [(typeof fleet.apps)[number]];
      const random = new Random(`readers ${seed}`);
      const watch = new Watch();
      await openStreams(fleet, sizes.readers, (data) => watch.see(data));
      log(`${sizes.readers} streams are open`);
      const reads = await readsPerSecond(fleet, sizes.seconds);
      for (let count = 0; count < sizes.spans; count++) {
        const traceId = random.hex(32);
        watch.expect(traceId);
        const body = JSON.stringify(aRequest([aSpan({ traceId, startMs: Date.now() })]));
        const response = await fetch(`${fleet.url}/v1/traces`, { method: 'POST', headers: headersOf(app), body });
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
          `${sizes.readers} streams: a span is in them after ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms; ${seen} of ${sizes.spans * sizes.readers} seen`,
          `${perInstance.toFixed(1)} control reads a second and gateway while nothing happens`,
        ],
        problems: [
          ...(seen < sizes.spans * sizes.readers ? [`${sizes.spans * sizes.readers - seen} events were not seen`] : []),
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

/** Open until the fleet stops. */
async function openStreams(fleet: ChaosFleet, count: number, onData: (data: string) => void): Promise<void> {
  const urls = [...fleet.cluster.instances.values()];
  const headers = headersOf(fleet.apps[0] as (typeof fleet.apps)[number]);
  const numbers = Array.from({ length: count }, (_, number) => number)[Symbol.iterator]();
  const opener = async () => {
    for (const number of numbers) {
      const url = `${urls[number % urls.length]}/v1/viewer/live`;
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        get(url, { headers, agent: false }, resolve).on('error', reject);
      });
      if (response.statusCode !== 200) throw new Error(`A stream was answered ${response.statusCode}`);
      response.setEncoding('utf8');
      response.on('data', onData);
      response.on('error', () => {});
    }
  };
  await Promise.all(Array.from({ length: openAtOnce }, opener));
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
