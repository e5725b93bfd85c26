import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { baselineQuery, experimentQuery } from '../../../shared/contract/evaluation/experiments.ts';
import { errorGroups } from '../../../shared/contract/tracing/error-groups.ts';
import { traceList } from '../../../shared/contract/tracing/trace-list.ts';
import { aSpan, aTraceId, testEpochMs } from '../../../shared/fixtures/otlp.ts';
import { type ClickHouseDatabase, ClickHouseServer, withClickHouse } from '../../fixtures/clickhouse.ts';
import { describeTelemetryStore } from '../conformance/describe-telemetry-store.ts';
import type { StoreLocation } from '../conformance/guarantee.ts';
import { Tenant } from '../conformance/tenant.ts';
import type { TelemetryStore } from '../store.ts';
import { causesIn } from './read/failed-spans.ts';
import { bound, sql } from './read/sql.ts';
import { traceConditions } from './read/trace-page.ts';
import { ClickHouseTelemetry, openClickHouseTelemetry } from './store.ts';

/** Of random cases: one takes ten times as long as over SQLite. */
const share = 0.1;

const entry = new URL('../../entry/thread.ts', import.meta.url);

// One that takes 20 s alone took five minutes beside everything else.
vi.setConfig({ testTimeout: 900_000 });

describe('ClickHouse', () => {
  let server: ClickHouseServer;
  beforeAll(async () => {
    server = await ClickHouseServer.start();
  });
  afterAll(() => server.stop());

  function newDatabase(): StoreLocation {
    let database: ClickHouseDatabase | null = null;
    const url = async () => {
      database ??= await server.createDatabase();
      return database.url;
    };
    return {
      // Some guarantees ask for everything at once, which takes long on a busy machine.
      open: async () => openClickHouseTelemetry({ address: { url: await url(), connections: 10 }, entry, sharing: { budgetMs: 60_000 } }),
      sizeBytes: async () =>
        withClickHouse(await url(), async (client) => {
          const tables = await client.query({ query: 'SHOW TABLES', format: 'JSONEachRow' });
          for (const { name } of await tables.json<{ name: string }>()) await client.command({ query: `OPTIMIZE TABLE ${name} FINAL` });
          const size = await client.query({
            query: 'SELECT sum(data_compressed_bytes) AS bytes FROM system.parts WHERE active AND database = currentDatabase()',
            format: 'JSONEachRow',
          });
          return Number((await size.json<{ bytes: string }>())[0]?.bytes ?? 0);
        }),
      // A retry writes rows again, with later versions.
      sizeVariesBy: 50,
      remove: async () => database?.drop(),
    };
  }

  describeTelemetryStore('clickhouse', newDatabase, { share });

  describe('bounds of reads', () => {
    let database: ClickHouseDatabase;
    let telemetry: ClickHouseTelemetry;
    let store: TelemetryStore;
    beforeAll(async () => {
      database = await server.createDatabase();
      telemetry = await ClickHouseTelemetry.connect({ address: { url: database.url, connections: 10 }, entry });
      store = telemetry.store(telemetry.openWriter(1, null));
    });
    afterAll(async () => {
      await store.stop();
      await database.drop();
    });

    const command = (query: string, query_params: Record<string, unknown> = {}) =>
      withClickHouse(database.url, async (client) => void (await client.command({ query, query_params })));
    /** As if the trace had so many spans that it cannot be copied within a read. */
    const enlarge = ({ scope }: Tenant, traceId: string) =>
      command(
        `INSERT INTO trace SELECT * REPLACE (1000000 AS span_count, ver + 1 AS ver) FROM trace FINAL
         WHERE tenant_id = {tenant_id:String} AND trace_id = {traceId:String}`,
        { ...scope, traceId },
      );
    const failure = (traceId: string, startMs: number, message: string, type: string) =>
      aSpan({ traceId, startMs, name: message, status: 'ERROR', statusMessage: message, attributes: { 'error.type': type } });

    it('of more failed spans than are read, those of the first traces are, the newest first', async () => {
      const app = new Tenant(store);
      const [older, newer] = [aTraceId(), aTraceId()];
      const spans = [older, newer].flatMap((traceId, at) =>
        [0, 1].map((n) => failure(traceId, testEpochMs + at * 7_200_000 + n, `${at} ${n}`, 'Error')),
      );
      await app.write(spans);
      const { errors, isWhole } = await causesIn(telemetry.context, app.scope, [newer, older], 2);
      expect([isWhole, errors.map(({ name }) => name)]).toEqual([false, ['1 1', '1 0']]);
    });

    it('a filter by spans reads those of the range only', async () => {
      const app = new Tenant(store);
      await app.write([aSpan({ name: 'inrange' })]);
      const month = 31 * 24;
      await command(
        `INSERT INTO span (tenant_id, app_id, hour, trace_id, span_id, start_us, ver)
         SELECT {tenant_id:String}, {app_id:String}, {hour:UInt32}, leftPad(hex(intDiv(number, 10)), 32, '0'), leftPad(hex(number), 16, '0'), {us:Int64}, 1
         FROM numbers(50000)`,
        { ...app.scope, hour: testEpochMs / 3_600_000 - month, us: (testEpochMs - month * 3_600_000) * 1000 },
      );
      const rowsRead = async (range: { from?: number; to?: number }) => {
        const condition = traceConditions(traceList.rows.query.parse({ ...range, filter: 'span_name:inrange' }));
        const { query, parameters } = bound(sql`SELECT count() AS count FROM trace FINAL WHERE ${condition}`);
        return withClickHouse(database.url, async (client) => {
          const result = await client.query({ query, query_params: { ...app.scope, ...parameters }, format: 'JSON' });
          const { data, statistics } = await result.json<{ count: number | string }>();
          return { count: Number(data[0]?.count), rows: statistics?.rows_read ?? 0 };
        });
      };
      const everywhere = await rowsRead({});
      expect(everywhere.count).toBe(1);
      expect(everywhere.rows).toBeGreaterThan(50_000);
      const within = await rowsRead({ from: testEpochMs - 1000, to: testEpochMs + 1000 });
      expect(within.count).toBe(1);
      expect(within.rows).toBeLessThan(10_000);
    });

    it('types of errors in traces that are too large to be copied are not read, and facets say so', async () => {
      const app = new Tenant(store);
      const [large, small] = [aTraceId(), aTraceId()];
      await app.write([
        failure(large, testEpochMs, 'out of order', 'LargeError'),
        failure(small, testEpochMs, 'out of paper', 'SmallError'),
      ]);
      const errorTypes = async () => {
        const found = (await store.traceList.facets(app.scope, traceList.facets.query.parse({}))).decode();
        const { groups } = (await store.errorGroups.list(app.scope, errorGroups.list.query.parse({}))).decode();
        const errors = found.facets.find(({ name }) => name === 'error')?.values ?? [];
        return {
          isWhole: found.is_whole,
          ofFacet: errors.map(({ value }) => value).sort(),
          ofGroups: groups.map(({ type }) => type).sort(),
        };
      };
      const both = ['LargeError', 'SmallError'];
      expect(await errorTypes()).toEqual({ isWhole: true, ofFacet: both, ofGroups: both });
      await enlarge(app, large);
      expect(await errorTypes()).toEqual({ isWhole: false, ofFacet: ['SmallError'], ofGroups: ['', 'SmallError'] });
    });

    it('runs whose first trace is too large are not looked at for a dataset, and the total says so', async () => {
      const app = new Tenant(store);
      const [large, small] = [aTraceId(), aTraceId()];
      for (const [run, traceId] of [
        ['large', large],
        ['small', small],
      ] as const) {
        const attributes = { 'agentmark.dataset_run_id': run, 'agentmark.dataset_path': 'rows.jsonl', 'agentmark.experiment_key': 'key' };
        await app.write([aSpan({ traceId, attributes })]);
      }
      await enlarge(app, large);
      const { data, ...page } = await store.experiments.list(app.scope, experimentQuery.parse({ dataset_path: 'rows.jsonl' }));
      expect([page, data.decode().map(({ id }) => id)]).toEqual([{ total: 1, totalIsLowerBound: true }, ['small']]);
      const baseline = await store.experiments.baseline(
        app.scope,
        baselineQuery.parse({ experiment_key: 'key', tree_hash: 'a'.repeat(40) }),
      );
      expect(baseline.decode().resolved?.runId).toBe('small');
    });
  });
});
