/** Where the migrations of a ClickHouse database are noted. */
import type { ClickHouseClient } from '@clickhouse/client';
import type { ClientBase } from 'pg';
import type { MigrationLog } from './migrate.ts';

/** 'GLTE' in ASCII. Of everything that locks in this database, only these migrations use it. */
const lock = 0x474c5445;

/**
 * For gateways that share a PostgreSQL, which has the lock that ClickHouse lacks.
 * @param client a connection that nothing else uses meanwhile, without limits of time
 */
export function postgresMigrationLog(client: ClientBase): MigrationLog {
  return {
    async locked(work) {
      await client.query('SELECT pg_advisory_lock($1)', [lock]);
      try {
        await client.query('CREATE TABLE IF NOT EXISTS telemetry_migration (id text PRIMARY KEY, at timestamptz NOT NULL DEFAULT now())');
        await work();
      } finally {
        await client.query('SELECT pg_advisory_unlock($1)', [lock]);
      }
    },
    async applied() {
      const { rows } = await client.query<{ id: string }>('SELECT id FROM telemetry_migration');
      return new Set(rows.map(({ id }) => id));
    },
    async record(id) {
      await client.query('INSERT INTO telemetry_migration (id) VALUES ($1)', [id]);
    },
  };
}

/** For a single gateway, in the database itself. Nothing keeps another one from migrating at the same time. */
export function tableMigrationLog(client: ClickHouseClient): MigrationLog {
  return {
    async locked(work) {
      const query = 'CREATE TABLE IF NOT EXISTS telemetry_migration (id String, at DateTime DEFAULT now()) ENGINE = MergeTree ORDER BY id';
      await client.command({ query });
      await work();
    },
    async applied() {
      const found = await client.query({ query: 'SELECT DISTINCT id FROM telemetry_migration', format: 'JSONEachRow' });
      return new Set((await found.json<{ id: string }>()).map(({ id }) => id));
    },
    async record(id) {
      await client.insert({ table: 'telemetry_migration', columns: ['id'], values: [{ id }], format: 'JSONEachRow' });
    },
  };
}
