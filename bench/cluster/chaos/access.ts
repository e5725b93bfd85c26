/** What ends for everybody at once: a key, the requests of a minute, an app. */
import { setTimeout as sleep } from 'node:timers/promises';
import { bootstrap } from '../../../server/entry/bootstrap.ts';
import { connectWorker } from '../../../server/fixtures/a-worker.ts';
import { appTables } from '../../../server/telemetry/clickhouse/write/app-tables.ts';
import { quantile } from '../../measure/quantiles.ts';
import { type ChaosFleet, owner } from './chaos-fleet.ts';
import { chaosRun, compared, msUntil, sendTo, withFleet } from './run.ts';
import { headersOf } from './sender.ts';

type App = ChaosFleet['apps'][number];

/** Headers of the owner's login, for an app. */
export async function loginFor(fleet: ChaosFleet, { tenant_id, app_id }: App): Promise<Record<string, string>> {
  const body = JSON.stringify({ ...owner, tenant_id });
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body };
  const { data } = (await (await fetch(`${fleet.url}/v1/auth/login`, init)).json()) as { data: { token: string } };
  return { Authorization: `Bearer ${data.token}`, 'X-Service-App-Id': app_id, 'Content-Type': 'application/json' };
}

const statusOf = async (url: string, headers: Record<string, string>): Promise<number> => {
  const response = await fetch(url, { headers });
  await response.arrayBuffer();
  return response.status;
};

export const revocation = chaosRun({
  about: 'a revoked key is refused by all gateways and loses its streams and sockets; a limit of requests holds for all gateways together',
  sizes: { times: 50, seconds: 60, limit: 1200, slack: 1 },
  quick: { times: 5, seconds: 10, limit: 60, slack: 5 },
  run: ({ sizes, instances, log }) =>
    withFleet({ instances, teams: 1, plans: { growth: { requests_per_minute: sizes.limit } } }, async (fleet) => {
      const login = await loginFor(fleet, fleet.apps[0] as App);
      const all: Ended[] = [];
      for (let time = 0; time < sizes.times; time++) all.push(await revokeOne(fleet, login));
      log('keys are revoked');
      const most = (of: keyof Ended) => Math.max(...all.map((ended) => ended[of]));
      const place = { url: fleet.cluster.postgres.url, connections: 1 };
      const limited = await bootstrap({ dataDir: fleet.dataDir, place, ...owner, tenant: 'limited', plan: 'growth' });
      const { allowed, refused, expected } = await admitted(fleet, limited, sizes);
      const ends = `refused everywhere after ${most('refusedMs').toFixed(0)} ms, streams and sockets closed after ${most('closedMs').toFixed(0)} ms at most`;
      return {
        figures: [`${sizes.times} keys: ${ends}`, `${allowed} requests admitted of ${expected.toFixed(0)} that may be, ${refused} refused`],
        problems: [
          ...(most('refusedMs') > 1000 * sizes.slack ? ['a revoked key was accepted for too long'] : []),
          ...(most('closedMs') > 2000 * sizes.slack ? ['a stream or socket of a revoked key was open for too long'] : []),
          ...(refused === 0 ? ['no request was refused: the limit was not reached'] : []),
          ...(allowed > expected * 1.05 ? ['more requests were admitted than the limit allows'] : []),
        ],
      };
    }),
});

interface Ended {
  refusedMs: number;
  closedMs: number;
}

/** Makes a key that is in use at all gateways, and revokes it at one. */
async function revokeOne(fleet: ChaosFleet, login: Record<string, string>): Promise<Ended> {
  const urls = [...fleet.cluster.instances.values()];
  const body = JSON.stringify({ name: crypto.randomUUID(), permissions: ['trace.read', 'worker.connect'] });
  const made = await fetch(`${urls[0]}/v1/api-keys`, { method: 'POST', headers: login, body });
  const { data: key } = (await made.json()) as { data: { id: string; plaintext_key: string } };
  const headers = { ...login, Authorization: key.plaintext_key };
  const streams = await Promise.all(
    urls.map(async (url) => {
      const reader = (await fetch(`${url}/v1/viewer/live`, { headers })).body?.getReader();
      await reader?.read();
      return reader;
    }),
  );
  const worker = await connectWorker(urls.at(-1) ?? '', key.plaintext_key, { 'x-service-adapter': 'chaos' });
  const revoked = await fetch(`${urls[0]}/v1/api-keys/${key.id}`, { method: 'DELETE', headers: login });
  if (revoked.status !== 204) throw new Error(`A key could not be revoked: ${revoked.status}`);
  const began = performance.now();
  const closed = Promise.all([worker.closed, ...streams.map(async (reader) => untilEnd(reader))]).then(() => performance.now() - began);
  const refused = urls.map((url) => msUntil(60_000, async () => (await statusOf(`${url}/v1/traces?limit=1`, headers)) === 401));
  const refusedMs = Math.max(...(await Promise.all(refused)).map((ms) => ms ?? Number.POSITIVE_INFINITY));
  return { refusedMs, closedMs: await Promise.race([closed, sleep(60_000, Number.POSITIVE_INFINITY)]) };
}

async function untilEnd(reader: ReadableStreamDefaultReader | undefined): Promise<void> {
  while (reader && !(await reader.read().catch(() => ({ done: true }))).done);
}

/** Asks all gateways for more than they may admit together. */
async function admitted(fleet: ChaosFleet, app: App, { limit, seconds }: { limit: number; seconds: number }) {
  const urls = [...fleet.cluster.instances.values()];
  const began = performance.now();
  let [allowed, refused, sent] = [0, 0, 0];
  const asker = async () => {
    while (performance.now() - began < seconds * 1000) {
      // It is counted, and refused before anything is read.
      const status = await statusOf(`${urls[sent++ % urls.length]}/v1/spans?limit=none`, headersOf(app));
      if (status === 400) allowed++;
      else if (status === 429) refused++;
    }
  };
  await Promise.all(Array.from({ length: 16 }, asker));
  return { allowed, refused, expected: limit + ((performance.now() - began) / 60_000) * limit };
}

export const deletion = chaosRun({
  about:
    'an app with many spans is deleted: it is invisible at once, and nothing of it is left soon, while other teams read as fast as before',
  sizes: { spans: 1_000_000, minutes: 15, raw: 2000, slack: 1 },
  quick: { spans: 4000, minutes: 5, raw: 100, slack: 5 },
  run: ({ sizes, seed, instances, log }) =>
    withFleet({ instances, teams: 2 }, async (fleet) => {
      const { sender, ledger } = sendTo(fleet, { seed, spans: sizes.spans, spansPerRequest: 500 });
      await sender.end();
      await fleet.untilApplied(600_000);
      const [gone, other] = fleet.apps as [App, App];
      const login = await loginFor(fleet, gone);
      const urls = [...fleet.cluster.instances.values()];
      log(`${sender.sent} spans are sent`);
      const before = await readTimes(fleet, other, () => sleep(5_000));
      const removed = await fetch(`${fleet.url}/v1/apps/${gone.app_id}`, { method: 'DELETE', headers: login });
      if (!removed.ok) throw new Error(`An app could not be deleted: ${removed.status} ${await removed.text()}`);
      const began = performance.now();
      const isHidden = async () => (await Promise.all(urls.map((url) => isVisible(url, login)))).every((visible) => !visible);
      const hiddenMs = await msUntil(60_000, isHidden);
      let goneMs: number | null = null;
      const during = await readTimes(fleet, other, async () => {
        goneMs = await msUntil(sizes.minutes * 60_000, async () => (await rowsOf(fleet, gone)) === 0, 500);
      });
      const [was, is] = [quantile(before, 0.95), quantile(during, 0.95)];
      const { figures, problems } = await compared(fleet, ledger, { seed, raw: sizes.raw, without: new Set([0]) });
      const others = `p95 of another team ${was.toFixed(0)} ms before, ${is.toFixed(0)} ms meanwhile`;
      const goneText = goneMs === null ? 'not gone' : `gone after ${((performance.now() - began) / 1000).toFixed(0)} s at most`;
      return {
        figures: [...figures, `invisible after ${hiddenMs?.toFixed(0)} ms, ${goneText}; ${others}`],
        problems: [
          ...problems,
          ...(hiddenMs === null || hiddenMs > 2000 * sizes.slack ? ['a deleted app was visible for too long'] : []),
          ...(goneMs === null ? [`${await rowsOf(fleet, gone)} rows of a deleted app are left`] : []),
        ],
      };
    }),
});

async function isVisible(url: string, headers: Record<string, string>): Promise<boolean> {
  const response = await fetch(`${url}/v1/traces?limit=1`, { headers });
  const body = (await response.json()) as { pagination?: { total: number } };
  // A gateway that has no time to answer does not say that the app is gone.
  if (response.status === 429 || response.status >= 500) return true;
  return response.status === 200 && body.pagination?.total !== 0;
}

/** Also those that are only marked as deleted. */
async function rowsOf(fleet: ChaosFleet, { app_id }: App): Promise<number> {
  const counts = appTables.map((table) => `SELECT count() AS rows FROM ${table} WHERE app_id = {app:String}`);
  const query = `SELECT sum(rows) AS total FROM (${counts.join(' UNION ALL ')}) SETTINGS apply_deleted_mask = 0`;
  return Number((await fleet.rows<{ total: string }>(query, { app: app_id }))[0]?.total);
}

/** Milliseconds of reads of an app while something else goes on. */
async function readTimes(fleet: ChaosFleet, app: App, meanwhile: () => Promise<unknown>): Promise<number[]> {
  let isOver = false;
  const ended = meanwhile().finally(() => (isOver = true));
  const times: number[] = [];
  while (!isOver) {
    const began = performance.now();
    await statusOf(`${fleet.url}/v1/traces?limit=50`, headersOf(app));
    times.push(performance.now() - began);
    await sleep(50);
  }
  await ended;
  return times;
}
