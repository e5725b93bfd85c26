import { afterAll, beforeAll, expect, it } from 'vitest';
import { ARun } from '../../../fixtures/a-run.ts';
import { type ClickHouseDatabase, ClickHouseServer, withClickHouse } from '../../../fixtures/clickhouse.ts';
import { Tenant } from '../../conformance/tenant.ts';
import { partOf } from '../../tenant-parts.ts';
import { ClickHouseTelemetry } from '../store.ts';

const entry = new URL('../../../entry/thread.ts', import.meta.url);
const hangMs = 120_000;

let server: ClickHouseServer;
let database: ClickHouseDatabase;
let telemetry: ClickHouseTelemetry;

beforeAll(async () => {
  server = await ClickHouseServer.start();
  database = await server.createDatabase();
  telemetry = await ClickHouseTelemetry.connect({ address: { url: database.url, connections: 10 }, entry });
}, hangMs);
afterAll(async () => {
  await telemetry.close();
  await database.drop();
  await server.stop();
}, hangMs);

/** The same call so many times. */
const sendCalls = (app: Tenant, run: ARun, count: number) =>
  app.write(
    Array.from({ length: count }, () => run.tool('convert_currency', { from: 'EUR', to: 'USD' }, '1.08')),
    Date.now(),
  );

/** By trace. */
async function found({ store, scope }: Tenant) {
  const list = (await store.runaways.list(scope, { limit: 50 })).decode();
  return new Map(list.map((runaway) => [runaway.trace_id, runaway]));
}

/** As if nothing had arrived of them for a quarter of an hour. */
const silence = (...runs: ARun[]) =>
  withClickHouse(database.url, (client) =>
    client.command({
      query: `INSERT INTO runaway SELECT * REPLACE (updated_ms - 900000 AS updated_ms, ver + 1 AS ver) FROM runaway FINAL
        WHERE trace_id IN {ids:Array(String)}`,
      query_params: { ids: runs.map(({ traceId }) => traceId) },
    }),
  );

it('a later writer sees the end of runs that an earlier one found, of the tenants of its part, and knows their thresholds', {
  timeout: hangMs,
}, async () => {
  const earlier = telemetry.openWriter(1, null);
  const store = telemetry.store(earlier);
  const app = new Tenant(store);
  const part = partOf(app.scope.tenant_id);
  let elsewhere = new Tenant(store);
  while (partOf(elsewhere.scope.tenant_id) === part) elsewhere = new Tenant(store);
  const [ended, silent, other, next] = [new ARun(), new ARun(), new ARun(), new ARun()];
  for (const run of [ended, silent]) await sendCalls(app, run, 10);
  await sendCalls(elsewhere, other, 10);
  await expect.poll(async () => [(await found(app)).size, (await found(elsewhere)).size]).toEqual([2, 1]);
  const before = (await found(app)).get(ended.traceId);
  await store.runaways.setThreshold(app.scope, { service: 'test-service', rule: 'repeated_calls', threshold: 4 });
  await earlier.stop();
  await silence(silent, other);

  const later = telemetry.openWriter(2, part);
  const taken = new Tenant(telemetry.store(later), app.scope);
  await expect.poll(async () => (await found(app)).get(silent.traceId)?.ended_at, { timeout: hangMs }).toEqual(expect.any(String));
  await taken.write([ended.end()], Date.now());
  await sendCalls(taken, next, 4);
  const states = async () => {
    const runaways = await found(app);
    return [ended, silent, next].map(({ traceId }) => typeof runaways.get(traceId)?.ended_at);
  };
  await expect.poll(states, { timeout: hangMs }).toEqual(['string', 'string', 'object']);
  expect((await found(app)).get(ended.traceId)?.found_at).toBe(before?.found_at);
  expect(await found(elsewhere)).toEqual(new Map([[other.traceId, expect.objectContaining({ ended_at: null })]]));
  await later.stop();
});
