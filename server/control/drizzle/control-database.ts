/**
 * Database of the control store, with a single way to write. Calls are synchronous: they are short, and nothing runs between a check and its
 * write. The interfaces are asynchronous, so that a server database can implement them.
 */
import { createHash } from 'node:crypto';
import { count, type SQL } from 'drizzle-orm';
import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Clock } from '../../platform/clock.ts';
import type { OpenDatabase } from '../../telemetry/sqlite/file/open.ts';
import type { Actor } from '../actor.ts';
import { Duplicate } from '../duplicate.ts';
import { audit } from './schema/identity.ts';

export type Queries = Pick<BetterSQLite3Database, 'select' | 'insert' | 'update' | 'delete' | 'selectDistinct' | 'all' | 'run'>;

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
  readonly #db: OpenDatabase;
  readonly #clock: Clock;
  /** Connection for queries. */
  readonly queries: Queries;

  constructor(db: OpenDatabase, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
    this.queries = drizzle(db);
  }

  /** The current time in ISO 8601. */
  now(): string {
    return new Date(this.#clock.now()).toISOString();
  }

  /** Runs one transaction with the change and its audit entry. */
  write<T>(auditEntry: AuditEntry, work: (queries: Queries, now: string) => WriteResult<T>): T {
    return this.transaction((queries, now) => {
      const { result, before, after, unchanged } = work(queries, now);
      if (!unchanged) this.#insertAuditEntry(auditEntry, now, before, after);
      return result;
    });
  }

  /** Runs a change that needs no audit entry, such as a heartbeat. */
  transaction<T>(work: (queries: Queries, now: string) => T): T {
    return this.#db.transaction(() => work(this.queries, this.now())).immediate();
  }

  close(): void {
    this.#db.close();
  }

  #insertAuditEntry({ by, tenant_id, app_id = null, action, target }: AuditEntry, at: string, before: unknown, after: unknown): void {
    const entry = { at, tenant_id, app_id, actor_kind: by.kind, actor_id: by.id, ip: by.ip, action, target };
    this.queries
      .insert(audit)
      .values({ ...entry, before_hash: hashOf(before), after_hash: hashOf(after) })
      .run();
  }
}

const hashOf = (record: unknown): string | null =>
  record === undefined || record === null ? null : createHash('sha256').update(JSON.stringify(record)).digest('hex');

/** Runs an insert or update, and throws a Duplicate when a value that must be unique is not. */
export function orDuplicate<T>(what: string, name: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if ((error as { code?: string }).code === 'SQLITE_CONSTRAINT_UNIQUE') throw new Duplicate(what, name);
    throw error;
  }
}

/** Number of matching rows. */
export const countRows = (queries: Queries, table: SQLiteTable, where: SQL | undefined): number =>
  queries.select({ rows: count() }).from(table).where(where).get()?.rows ?? 0;
