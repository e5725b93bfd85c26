/** Database of the control store: what the queries of every resource are written against, whichever engine runs them. */
import { createHash } from 'node:crypto';
import { count, type SQL, sql } from 'drizzle-orm';
import type { BaseSQLiteDatabase, SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Clock } from '../../platform/clock.ts';
import type { Actor } from '../actor.ts';
import { changesOf } from '../audit-changes.ts';
import { Duplicate } from '../duplicate.ts';
import { driverError } from './driver-error.ts';
import { audit } from './schema/identity.ts';

/** Result of a statement without rows. */
export interface Changed {
  /** Number of inserted, updated or deleted rows. */
  changes: number;
}

type Builder = BaseSQLiteDatabase<'async', Changed>;

/** Queries that change nothing. */
export type Reads = Pick<Builder, 'select' | 'selectDistinct'>;
/** Queries within a transaction. */
export type Queries = Reads & Pick<Builder, 'insert' | 'update' | 'delete'>;

/** A database that runs the queries. */
export interface ControlEngine {
  /** Reads outside transactions. They see every transaction that has resolved. */
  readonly reads: Reads;
  /**
   * Runs a body as one transaction: it commits when the body resolves, and is undone when it rejects. Transactions have the same result as if
   * they had run one after another. An engine may run the body again, so it has no effect but its queries, and waits for nothing else.
   */
  transaction<T>(body: (queries: Queries) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Entry of the audit log. */
export interface AuditEntry {
  by: Actor;
  tenant_id: string;
  app_id?: string | null;
  /** Resource and verb: `api_key.create`. */
  action: string;
  /** Id of the record. */
  target: string;
}

export interface WriteResult<T> {
  /** Result for the caller. */
  result: T;
  /** Record before and after. Absent when it did not or does not exist. */
  before?: unknown;
  after?: unknown;
  /** Nothing changed, so nothing is logged. */
  unchanged?: true;
}

export class ControlDatabase {
  readonly #engine: ControlEngine;
  readonly #clock: Clock;
  /** Reads outside transactions. */
  readonly queries: Reads;

  constructor(engine: ControlEngine, clock: Clock) {
    this.#engine = engine;
    this.#clock = clock;
    this.queries = engine.reads;
  }

  /** The current time in ISO 8601. */
  now(): string {
    return new Date(this.#clock.now()).toISOString();
  }

  /** Runs one transaction with the change and its audit entry. */
  write<T>(auditEntry: AuditEntry, work: (queries: Queries, now: string) => Promise<WriteResult<T>>): Promise<T> {
    return this.transaction(async (queries, now) => {
      const { result, before, after, unchanged } = await work(queries, now);
      if (!unchanged) await logChange(queries, auditEntry, now, { before, after });
      return result;
    });
  }

  /** Runs a change that needs no audit entry, such as a heartbeat. */
  transaction<T>(work: (queries: Queries, now: string) => Promise<T>): Promise<T> {
    return this.#engine.transaction((queries) => work(queries, this.now()));
  }

  close(): Promise<void> {
    return this.#engine.close();
  }
}

/** Adds an entry to the audit log, within the transaction of its change. */
export async function logChange(
  queries: Queries,
  { by, tenant_id, app_id = null, action, target }: AuditEntry,
  at: string,
  { before, after }: Pick<WriteResult<unknown>, 'before' | 'after'>,
): Promise<void> {
  const entry = { at, tenant_id, app_id, actor_kind: by.kind, actor_id: by.id, ip: by.ip, action, target };
  await queries
    .insert(audit)
    .values({ ...entry, before_hash: hashOf(before), after_hash: hashOf(after), changes: changesOf(action, before, after) })
    .run();
}

const hashOf = (record: unknown): string | null =>
  record === undefined || record === null ? null : createHash('sha256').update(JSON.stringify(record)).digest('hex');

/** Codes of SQLite and of PostgreSQL. */
const uniqueViolations: ReadonlySet<unknown> = new Set(['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY', '23505']);

/** Runs an insert or update, and throws a Duplicate when a value that must be unique is not. */
export async function orDuplicate<T>(what: string, name: string, work: () => PromiseLike<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const cause = driverError(error);
    if (uniqueViolations.has((cause as { code?: unknown }).code)) throw new Duplicate(what, name, { cause });
    throw error;
  }
}

/** Number of matching rows. */
export const countRows = async (queries: Reads, table: SQLiteTable, where: SQL | undefined): Promise<number> =>
  (await queries.select({ rows: count() }).from(table).where(where).get())?.rows ?? 0;

/** Columns of a unique index, for `onConflictDoUpdate`. PostgreSQL takes no name of the table before them there. */
export const conflictOn = (...columns: SQLiteColumn[]): SQLiteColumn[] =>
  columns.map(({ name }) => sql.identifier(name) as unknown as SQLiteColumn);
