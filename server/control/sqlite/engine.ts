/** Runs the queries of the control store on SQLite: transactions one at a time on a connection that writes, other reads on a second one. */
import { setTimeout as sleep } from 'node:timers/promises';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { busyTimeoutMs, type OpenDatabase, openReader } from '../../telemetry/sqlite/file/open.ts';
import { storageErrorKind } from '../../telemetry/sqlite/file/storage-error-kind.ts';
import type { ControlEngine, Queries, Reads } from '../queries/control-database.ts';

/** Between two attempts to begin while another process writes. */
const retryMs = 2;

/** The builders of the synchronous driver can be awaited like those of the others. */
const queriesOf = (db: OpenDatabase): Queries => drizzle(db) as unknown as Queries;

export class SqliteEngine implements ControlEngine {
  readonly #writer: OpenDatabase;
  readonly #reader: OpenDatabase;
  readonly #queries: Queries;
  readonly reads: Reads;
  /** Ends when the last transaction has ended. */
  #last: Promise<unknown> = Promise.resolve();

  /** @param writer of which it becomes the owner */
  constructor(writer: OpenDatabase) {
    this.#writer = writer;
    // SQLite's own wait blocks the thread, and the transaction that holds the lock may be in this thread.
    writer.pragma('busy_timeout = 0');
    this.#queries = queriesOf(writer);
    this.#reader = openReader(writer.name);
    this.reads = queriesOf(this.#reader);
  }

  transaction<T>(body: (queries: Queries) => Promise<T>): Promise<T> {
    const result = this.#last.then(() => this.#run(body));
    this.#last = result.catch(() => undefined);
    return result;
  }

  async close(): Promise<void> {
    await this.#last;
    this.#reader.close();
    this.#writer.close();
  }

  async #run<T>(body: (queries: Queries) => Promise<T>): Promise<T> {
    await this.#begin();
    try {
      const result = await body(this.#queries);
      this.#writer.exec('COMMIT');
      return result;
    } finally {
      if (this.#writer.inTransaction) this.#writer.exec('ROLLBACK');
    }
  }

  async #begin(): Promise<void> {
    const deadline = performance.now() + busyTimeoutMs;
    for (;;) {
      try {
        this.#writer.exec('BEGIN IMMEDIATE');
        return;
      } catch (error) {
        if (storageErrorKind(error) !== 'busy' || performance.now() > deadline) throw error;
      }
      await sleep(retryMs);
    }
  }
}
