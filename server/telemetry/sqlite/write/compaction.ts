/**
 * Returns unused space to the disk while batches are written, in steps of some milliseconds. SQLite can move the last pages of a file into free
 * ones if the file was created for that (`auto_vacuum`). Any other file is rewritten at the next start, before ingest begins, and so is a large
 * one of which traces were deleted.
 */
import type { Compaction } from '../../file-maintenance.ts';
import type { OpenDatabase } from '../file/open.ts';
import { storageErrorKind } from '../file/storage-error-kind.ts';
import { requestRebuild, rewriteAfterDeletions } from './rebuild.ts';
import { runTimeSlice } from './time-slice.ts';
import type { UnusedNames } from './unused-names.ts';

const piecePages = 8;

type Outcome = 'done' | 'stopped' | 'at-next-start';

export class Compactor {
  readonly #db: OpenDatabase;
  readonly #unused: UnusedNames;
  readonly #report: (state: Compaction) => void;
  #state: Compaction | null = null;
  #pass: Generator<void, Outcome> | null = null;

  /** @param report called on progress */
  constructor(db: OpenDatabase, unused: UnusedNames, report: (state: Compaction) => void) {
    this.#db = db;
    this.#unused = unused;
    this.#report = report;
  }

  /** Does nothing while a compaction runs. */
  begin(): void {
    if (this.#pass) return;
    const none = { part: 0, freed_bytes: 0, ended_ms: null, problem: null };
    this.#state = { state: 'running', phase: 'names', left_bytes: this.#freeBytes(), began_ms: Date.now(), ...none };
    this.#pass = this.#run();
    this.#update({});
  }

  /** Keeps the progress. */
  cancel(): void {
    if (!this.#pass) return;
    this.#pass.return('stopped');
    this.#end({ state: 'stopped' });
  }

  /** Does not touch the database. */
  fail(problem: string): void {
    if (this.#pass) this.#end({ state: 'failed', problem });
  }

  /** Runs one step. False while there is nothing to do. */
  step(): boolean {
    if (!this.#pass) return false;
    try {
      const { done, value } = this.#pass.next();
      if (done) this.#end({ state: value });
      return true;
    } catch (error) {
      const { message } = error as Error;
      this.fail(storageErrorKind(error) === 'full' ? `The disk is full (${message}). Free some space and start again.` : message);
      return false;
    }
  }

  *#run(): Generator<void, Outcome> {
    yield* this.#unused.drop((part) => this.#update({ part }));
    if (this.#pragma('auto_vacuum') === 0) {
      requestRebuild(this.#db.name);
      return 'at-next-start';
    }
    this.#update({ phase: 'pages', part: 0, left_bytes: this.#freeBytes() });
    const step = this.#db.transaction(() => runTimeSlice(() => this.#movePages()));
    for (let freed = 0, isMore = true; isMore; ) {
      const before = this.#pragma('page_count');
      isMore = step.immediate();
      freed += (before - this.#pragma('page_count')) * this.#pragma('page_size');
      const leftBytes = this.#freeBytes();
      this.#update({ freed_bytes: freed, left_bytes: leftBytes, part: leftBytes === 0 ? 1 : freed / (freed + leftBytes) });
      yield;
    }
    return rewriteAfterDeletions(this.#db) === 'at-next-start' ? 'at-next-start' : 'done';
  }

  #movePages(): boolean {
    this.#db.exec(`PRAGMA incremental_vacuum(${piecePages})`);
    return this.#pragma('freelist_count') > 0;
  }

  #end(result: Partial<Compaction>): void {
    this.#pass = null;
    this.#update({ ...result, ended_ms: Date.now() });
  }

  #update(changes: Partial<Compaction>): void {
    if (!this.#state) return;
    this.#state = { ...this.#state, ...changes };
    this.#report(this.#state);
  }

  #freeBytes(): number {
    return this.#pragma('freelist_count') * this.#pragma('page_size');
  }

  #pragma(name: string): number {
    return Number(this.#db.pragma(name, { simple: true }));
  }
}
