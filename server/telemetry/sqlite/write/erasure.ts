/**
 * Erases all data of deleted apps, a little at a time in idle time. The deleted apps are marked in the store, so a crash forgets none, and
 * data that arrives late is erased too. The newest row of each table stays until there are newer ones, so that no id is ever reused.
 */
import type { OpenDatabase } from '../file/open.ts';
import { dropBlocks, sweepIndexEntries } from './leftovers.ts';
import { runTimeSlice } from './time-slice.ts';
import type { TraceRemoval } from './trace-removal.ts';

/** Values of `scope.leaving`. */
const erasure = { pending: 1, done: 2 } as const;
const intervalMs = 10 * 60_000;
const stepRows = 2_000;
const stepTraces = 50;
/** For tables whose rows are deleted one by one. */
const pieceRows = 100;

export class Erasure {
  readonly #db: OpenDatabase;
  readonly #removal: TraceRemoval;
  readonly #forget: () => void;
  readonly #now: () => number;
  #pass: Generator<void> | null = null;
  #dueMs = 0;

  /** @param forget clears caches of names and texts after some were deleted */
  constructor(db: OpenDatabase, removal: TraceRemoval, forget: () => void, now: () => number) {
    this.#db = db;
    this.#removal = removal;
    this.#forget = forget;
    this.#now = now;
  }

  /** Durably marks the app as deleted: all its data is erased, including later arrivals. */
  begin(scope: number): void {
    const mark = this.#db.prepare('UPDATE scope SET leaving = ? WHERE id = ?');
    this.#db.transaction(() => mark.run(erasure.pending, scope)).immediate();
    this.#dueMs = 0;
  }

  /** Runs one step. False when there is nothing to do for a while. */
  step(): boolean {
    this.#pass ??= this.#start();
    if (!this.#pass) return false;
    if (this.#pass.next().done) this.#pass = null;
    return true;
  }

  #start(): Generator<void> | null {
    const now = this.#now();
    if (now < this.#dueMs) return null;
    this.#dueMs = now + intervalMs;
    const scopes = this.#db
      .prepare<[], number>(
        `SELECT id FROM scope WHERE leaving = ${erasure.pending}
           OR (leaving = ${erasure.done} AND (EXISTS (SELECT 1 FROM trace WHERE scope = scope.id) OR EXISTS (SELECT 1 FROM score WHERE scope = scope.id)))`,
      )
      .pluck()
      .all();
    return scopes.length > 0 ? this.#erase(scopes) : null;
  }

  *#erase(scopes: readonly number[]): Generator<void> {
    for (const scope of scopes) {
      yield* this.#drop('score', scope, '1');
      yield* this.#dropTraces(scope);
      if (this.#has('trace', scope)) continue;
      yield* this.#dropTexts(scope);
      for (const table of ['session', 'runaway', 'runaway_threshold']) yield* this.#drop(table, scope, '1');
      for (const table of ['document', 'term']) yield* this.#drop(table, scope, this.#notNewest(table));
      this.#forget();
      if (this.#numberFrom('SELECT scope FROM chunk ORDER BY id DESC LIMIT 1') === scope) continue;
      if (this.#has('document', scope) || this.#has('term', scope)) continue;
      this.#db.prepare('UPDATE scope SET leaving = ? WHERE id = ?').run(erasure.done, scope);
    }
    yield* sweepIndexEntries(this.#db);
    yield* this.#dropBlocks();
  }

  *#dropTraces(scope: number): Generator<void> {
    const newest = ['SELECT max(id) FROM trace', 'SELECT trace FROM span ORDER BY id DESC LIMIT 1'].map((sql) => this.#numberFrom(sql));
    const tracesIn = this.#db
      .prepare<[number, number, number], number>('SELECT id FROM trace WHERE id > ? AND id <= ? AND scope = ?')
      .pluck();
    const last = this.#numberFrom('SELECT max(id) FROM trace');
    for (let at = 0; at < last; at += stepTraces) {
      const remaining = tracesIn.all(at, at + stepTraces, scope).filter((id) => !newest.includes(id));
      const step = this.#db.transaction(() =>
        runTimeSlice(() => {
          // Their scores are deleted already.
          const id = remaining.at(-1);
          if (id !== undefined && this.#removal.remove(id, null).isComplete) remaining.pop();
          return remaining.length > 0;
        }),
      );
      while (step.immediate()) yield;
      yield;
    }
  }

  *#dropTexts(scope: number): Generator<void> {
    const within = `id > ? AND id <= ? AND scope = ? AND ${this.#notNewest('chunk')}`;
    const sizes = this.#db.prepare<[number, number, number], number>(`SELECT coalesce(sum(size), 0) FROM chunk WHERE ${within}`).pluck();
    const drop = this.#db.prepare<[number, number, number]>(`DELETE FROM chunk WHERE ${within}`);
    const last = this.#numberFrom('SELECT max(id) FROM chunk');
    for (let at = 0; at < last; at += stepRows) {
      const part = [at, at + stepRows, scope] as const;
      const dropAll = () => {
        this.#removal.release(scope, sizes.get(...part) ?? 0);
        drop.run(...part);
      };
      this.#db.transaction(dropAll).immediate();
      yield;
    }
  }

  *#drop(table: string, scope: number, condition: string): Generator<void> {
    const drop = this.#db.prepare(
      `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE scope = ? AND ${condition} LIMIT ${pieceRows})`,
    );
    const step = this.#db.transaction(() => runTimeSlice(() => drop.run(scope).changes > 0));
    while (step.immediate()) yield;
  }

  /** Deletes blocks from before this pass that no row refers to. New data goes to later blocks. */
  *#dropBlocks(): Generator<void> {
    const before = this.#numberFrom('SELECT max(id) FROM block') - 1;
    const needed = new Set<number>();
    for (const table of ['span', 'span_log', 'chunk']) {
      const blocksIn = this.#db.prepare<[number, number], number>(`SELECT DISTINCT block FROM ${table} WHERE id > ? AND id <= ?`).pluck();
      const last = this.#numberFrom(`SELECT max(id) FROM ${table}`);
      for (let at = 0; at < last; at += stepRows) {
        for (const block of blocksIn.all(at, at + stepRows)) needed.add(block);
        yield;
      }
    }
    yield* dropBlocks(this.#db, before, (block) => needed.has(block));
  }

  #notNewest(table: string): string {
    return `id < (SELECT max(id) FROM ${table})`;
  }

  #has(table: string, scope: number): boolean {
    return this.#db.prepare<[number], number>(`SELECT EXISTS (SELECT 1 FROM ${table} WHERE scope = ?)`).pluck().get(scope) === 1;
  }

  /** 0 for an empty table. */
  #numberFrom(sql: string): number {
    return this.#db.prepare<[], number | null>(sql).pluck().get() ?? 0;
  }
}
