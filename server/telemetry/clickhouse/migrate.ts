/** Brings the schema of a database to the current version. ClickHouse has no transactions: what a start leaves undone, the next one repeats. */
import type { ClickHouseClient } from '@clickhouse/client';
import { StorageError } from '../storage-error.ts';
import { storageFailure } from './storage-failure.ts';

export interface Migration {
  /** `001-spans`: its number, which gives the order, and its subject. Never changes. */
  id: string;
  /** Run one after the other. Each may run again after it has succeeded: `CREATE TABLE IF NOT EXISTS`, `ADD COLUMN IF NOT EXISTS`. */
  statements: readonly string[];
}

/** Which migrations a database has had. */
export interface MigrationLog {
  applied(): Promise<ReadonlySet<string>>;
  record(id: string): Promise<void>;
  /** Runs the work while no other gateway runs its own. */
  locked(work: () => Promise<void>): Promise<void>;
}

/** An `ALTER` that rewrites rows has ended when it is answered. */
const settings = { alter_sync: '2', mutations_sync: '2' } as const;

/**
 * Gateways that start together wait for each other.
 * @param client one without limits (`noLimits`)
 * @param migrations all of them, in their order
 * @throws StorageError `newer_schema` when a later version has migrated the database, or what happened to the database
 */
export async function migrate(client: ClickHouseClient, log: MigrationLog, migrations: readonly Migration[]): Promise<void> {
  try {
    await log.locked(() => runMissing(client, log, migrations));
  } catch (error) {
    throw storageFailure(error) ?? error;
  }
}

async function runMissing(client: ClickHouseClient, log: MigrationLog, migrations: readonly Migration[]): Promise<void> {
  const applied = await log.applied();
  const unknown = [...applied].filter((id) => migrations.every((migration) => migration.id !== id)).sort();
  if (unknown.length > 0)
    throw new StorageError(
      'newer_schema',
      `The telemetry database has the migrations ${unknown.join(', ')}, which this version of Glasshouse does not know: install the later version`,
    );
  for (const { id, statements } of migrations) {
    if (applied.has(id)) continue;
    for (const query of statements) await client.command({ query, clickhouse_settings: settings });
    await log.record(id);
  }
}
