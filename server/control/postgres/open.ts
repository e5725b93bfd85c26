/** The control store on PostgreSQL. */
import { Pool } from 'pg';
import type { Clock } from '../../platform/clock.ts';
import type { ControlStore } from '../control-store.ts';
import { ControlDatabase } from '../queries/control-database.ts';
import { controlStoreOver } from '../queries/control-store-over.ts';
import { translateErrors } from '../queries/translate-errors.ts';
import { DatabaseClock } from './database-clock.ts';
import { PostgresEngine } from './engine.ts';
import { migrate } from './migrate.ts';
import { storageFailure } from './storage-failure.ts';

export interface PostgresAddress {
  /** `postgres://user:password@host:port/database`. Its parameters, such as `sslmode` and `statement_timeout`, go before the defaults. */
  url: string;
  /** Largest number of connections of this process. */
  connections: number;
}

const defaults = {
  application_name: 'glasshouse',
  connectionTimeoutMillis: 10_000,
  statement_timeout: 30_000,
  idle_in_transaction_session_timeout: 10_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
} as const;

/**
 * Creates or migrates the schema.
 * @throws StorageError when the database cannot be reached or used, is from a later version, or has another time
 */
export async function openPostgresControl(address: PostgresAddress, clock: Clock): Promise<ControlStore> {
  const pool = connectionPool(address);
  try {
    const client = await pool.connect();
    try {
      // A migration may take longer than a query, and wait for that of another gateway.
      await client.query('SET statement_timeout = 0');
      await migrate(client);
    } finally {
      client.release(true);
    }
    const database = new ControlDatabase(new PostgresEngine(pool), await DatabaseClock.open(pool, clock));
    return translateErrors(controlStoreOver(database), storageFailure);
  } catch (error) {
    await pool.end();
    throw storageFailure(error) ?? error;
  }
}

/**
 * For queries on the path of every request: one that is not answered in time is given up, also when the database hangs, and its connection
 * with it.
 */
export const shortLimits = { connectionTimeoutMillis: 2_000, statement_timeout: 2_000, query_timeout: 2_000 } as const;

/** Connects when it is used. A connection that ends between two queries is replaced; the next query has the error. */
export function connectionPool({ url, connections }: PostgresAddress, limits: Partial<typeof shortLimits> = {}): Pool {
  const pool = new Pool({ ...defaults, ...limits, connectionString: url, max: connections });
  // Without listeners, such a connection would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}
