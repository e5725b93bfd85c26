import { afterAll, beforeAll, describe } from 'vitest';
import { type ClickHouseDatabase, ClickHouseServer, withClickHouse } from '../../fixtures/clickhouse.ts';
import { describeTelemetryStore } from '../conformance/describe-telemetry-store.ts';
import type { StoreLocation } from '../conformance/guarantee.ts';
import { openClickHouseTelemetry } from './store.ts';

/** Of random cases: one takes ten times as long as over SQLite. */
const share = 0.1;

const entry = new URL('../../entry/thread.ts', import.meta.url);

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
      open: async () => openClickHouseTelemetry({ address: { url: await url(), connections: 10 }, entry }),
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
      remove: async () => database?.drop(),
    };
  }

  describeTelemetryStore('clickhouse', newDatabase, { share });
});
