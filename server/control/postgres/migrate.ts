/** Brings the schema of a database to the current version: all migrations that are missing, in one transaction. */
import type { ClientBase } from 'pg';
import { StorageError } from '../../telemetry/storage-error.ts';
import { migrations } from './migrations/index.ts';

/** 'GLCO' in ASCII. Of everything that locks in this database, only migrations use it. */
const lock = 0x474c434f;

/**
 * Gateways and commands that start together wait for each other here.
 * @throws StorageError when a later version has migrated the database, or its texts are not in UTF-8
 */
export async function migrate(client: ClientBase): Promise<void> {
  await requireUtf8(client);
  await client.query('SELECT pg_advisory_lock($1)', [lock]);
  try {
    await client.query('BEGIN');
    await runMissing(client);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [lock]);
  }
}

async function runMissing(client: ClientBase): Promise<void> {
  await client.query('CREATE TABLE IF NOT EXISTS control_migration (number integer PRIMARY KEY, at timestamptz NOT NULL DEFAULT now())');
  const { rows } = await client.query<{ number: number | null }>('SELECT max(number) AS number FROM control_migration');
  const current = rows[0]?.number ?? 0;
  if (current > migrations.length)
    throw new StorageError(
      'newer_schema',
      `The database has schema version ${current}; this version of Glasshouse knows ${migrations.length}: install the later version`,
    );
  for (const [index, sql] of migrations.entries()) {
    if (index < current) continue;
    await client.query(sql);
    await client.query('INSERT INTO control_migration (number) VALUES ($1)', [index + 1]);
  }
}

async function requireUtf8(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ server_encoding: string }>('SHOW server_encoding');
  const encoding = rows[0]?.server_encoding;
  if (encoding !== 'UTF8')
    throw new StorageError(
      'corrupt',
      `The database has the encoding ${encoding}: create one with CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0`,
    );
}
