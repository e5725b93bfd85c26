/**
 * Runs the queries of the control store on PostgreSQL (ADR 048). Transactions are serializable: one that conflicts with another is undone
 * and run again, in the end while no other one runs. Reads outside transactions use any connection of the pool.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool, PoolClient, QueryResult } from 'pg';
import { Duplicate } from '../duplicate.ts';
import type { ControlEngine, Queries, Reads } from '../queries/control-database.ts';
import { driverError } from '../queries/driver-error.ts';
import { type DatabaseClock, timeSql } from './database-clock.ts';
import { queriesOver } from './queries-over.ts';

/** Attempts that may run beside other transactions; those after them run alone. */
const sharedAttempts = 3;
/**
 * PostgreSQL releases the lock of a transaction shortly before it has finished checking its conflicts, so that even a transaction that runs alone may
 * conflict with one that has just ended.
 */
const attemptsMax = sharedAttempts + 3;
/** Longest pause before the first retry; it doubles with each. */
const firstPauseMs = 4;

/**
 * Transactions that may run at the same time hold the weaker lock. Locks are taken before the first query, because a transaction sees what
 * was committed until then.
 */
const begin = (lock: 'ROW EXCLUSIVE' | 'EXCLUSIVE') =>
  `BEGIN ISOLATION LEVEL SERIALIZABLE; LOCK TABLE control_migration IN ${lock} MODE; ${timeSql}`;

/** serialization_failure, deadlock_detected */
const conflicts: ReadonlySet<unknown> = new Set(['40001', '40P01']);
const uniqueViolation = '23505';

const codeOf = (error: unknown): unknown => ((error instanceof Duplicate ? error.cause : error) as { code?: unknown } | undefined)?.code;

export class PostgresEngine implements ControlEngine {
  readonly #pool: Pool;
  readonly #clock: DatabaseClock;
  readonly reads: Reads;

  /** @param pool of which it becomes the owner @param clock that learns from each transaction */
  constructor(pool: Pool, clock: DatabaseClock) {
    this.#pool = pool;
    this.#clock = clock;
    this.reads = queriesOver(pool);
  }

  async transaction<T>(body: (queries: Queries) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    let isBroken = false;
    try {
      // On one connection, because a transaction that is run again must not wait behind those that came later.
      return await untilDone(client, this.#clock, body);
    } catch (error) {
      isBroken = error instanceof BrokenConnection;
      throw error instanceof BrokenConnection ? error.cause : error;
    } finally {
      client.release(isBroken);
    }
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}

/** A transaction failed, and could not be undone: the database undoes it when the connection ends. Its cause is for the caller. */
class BrokenConnection extends Error {}

async function untilDone<T>(client: PoolClient, clock: DatabaseClock, body: (queries: Queries) => Promise<T>): Promise<T> {
  let hasDuplicate = false;
  for (let attempt = 1; ; attempt++) {
    const isAlone = attempt > sharedAttempts;
    try {
      await clock.learn(() => beginWith(client, isAlone ? 'EXCLUSIVE' : 'ROW EXCLUSIVE'));
      return await runOnce(client, body);
    } catch (error) {
      const code = codeOf(error);
      // What another transaction inserted meanwhile is visible to the next attempt, which may find that nothing is left to do.
      const isFirstDuplicate: boolean = code === uniqueViolation && !hasDuplicate;
      if (!isFirstDuplicate && (attempt >= attemptsMax || !conflicts.has(code))) throw error;
      hasDuplicate ||= isFirstDuplicate;
    }
    await sleep(Math.random() * firstPauseMs * 2 ** (attempt - 1));
  }
}

/** @returns the time of the database */
async function beginWith(client: PoolClient, lock: Parameters<typeof begin>[0]): Promise<{ ms: number } | undefined> {
  try {
    const results = (await client.query(begin(lock))) as unknown as QueryResult<{ ms: number }>[];
    return results.at(-1)?.rows[0];
  } catch (error) {
    return undo(client, error);
  }
}

async function runOnce<T>(client: PoolClient, body: (queries: Queries) => Promise<T>): Promise<T> {
  try {
    const result = await body(queriesOver(client));
    const { command } = await client.query('COMMIT');
    if (command !== 'COMMIT') throw new Error('Invariant violated: a transaction resolved although a query of it had failed');
    return result;
  } catch (error) {
    return undo(client, error);
  }
}

async function undo(client: PoolClient, error: unknown): Promise<never> {
  const failure = driverError(error);
  try {
    await client.query('ROLLBACK');
  } catch (lost) {
    // A conflict would have passed with another attempt, which the lost connection prevents.
    throw new BrokenConnection('', { cause: conflicts.has(codeOf(failure)) ? lost : failure });
  }
  throw failure;
}
