/** The control store on PostgreSQL. */
import { Client, Pool, type PoolConfig } from 'pg';
import type { BlobStore } from '../../blobs/blob-store.ts';
import { type Clock, systemClock } from '../../platform/clock.ts';
import type { ControlStore } from '../control-store.ts';
import { ControlDatabase } from '../queries/control-database.ts';
import { controlStoreOver } from '../queries/control-store-over.ts';
import { LargeValues } from '../queries/large-values.ts';
import { translateErrors } from '../queries/translate-errors.ts';
import { DatabaseClock, timeSql } from './database-clock.ts';
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
  // PostgreSQL starts a process for each connection, which takes longer than a hundred queries.
  idleTimeoutMillis: 300_000,
} as const;

/** After its time limit, the database has this long to say so. Then it or the network has fallen silent, and the driver gives the query up. */
const silenceMs = 5_000;

/**
 * Creates or migrates the schema.
 * @param machine the clock of the machine
 * @param limits other than the defaults
 * @param blobs where large values are; null for the database
 * @throws StorageError when the database cannot be reached or used, is from a later version, or has another time
 */
export async function openPostgresControl(
  address: PostgresAddress,
  clock: Clock,
  machine: Clock = systemClock,
  limits: PoolLimits = {},
  blobs: BlobStore | null = null,
): Promise<ControlStore> {
  const databaseClock = new DatabaseClock(clock, machine);
  try {
    await prepare(address, databaseClock);
  } catch (error) {
    throw storageFailure(error) ?? error;
  }
  const database = new ControlDatabase(new PostgresEngine(connectionPool(address, limits), databaseClock), databaseClock);
  return translateErrors(controlStoreOver(database, new LargeValues(blobs)), storageFailure);
}

/** On a connection without limits: a migration may take longer than a query, and wait for that of another gateway. */
async function prepare({ url }: PostgresAddress, clock: DatabaseClock): Promise<void> {
  const client = new Client({ ...defaults, connectionString: url });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('SET statement_timeout = 0');
    await migrate(client);
    await clock.learn(async () => (await client.query<{ ms: number }>(timeSql)).rows[0]);
    clock.requireNearMachine();
  } finally {
    await client.end();
  }
}

/**
 * For queries on the path of every request: one that is not answered in time is given up, also when the database hangs, and its connection
 * with it.
 */
export const shortLimits: PoolLimits = { connectionTimeoutMillis: 2_000, statement_timeout: 2_000, query_timeout: 2_000 };

/** For queries that a stop of the gateway waits for. */
export const mediumLimits: PoolLimits = { connectionTimeoutMillis: 10_000, statement_timeout: 10_000, query_timeout: 10_000 };

export type PoolLimits = Pick<PoolConfig, 'connectionTimeoutMillis' | 'statement_timeout' | 'query_timeout'>;

/** Connects when it is used. A connection that ends between two queries is replaced; the next query has the error. */
export function connectionPool({ url, connections }: PostgresAddress, limits: PoolLimits = {}): Pool {
  const given = URL.canParse(url) ? Number(new URL(url).searchParams.get('statement_timeout')) : 0;
  const query_timeout = (given || defaults.statement_timeout) + silenceMs;
  const pool = new Pool({ ...defaults, query_timeout, ...limits, connectionString: url, max: connections });
  // Without listeners, such a connection would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}
