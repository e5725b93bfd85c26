/**
 * Gives room that nothing takes back to the disk while batches are written: a step of some milliseconds at a time. SQLite can move the last pages
 * of a file into free ones when the file was made for it (`auto_vacuum`). One that was not is written anew at the next start, before
 * anything is sent to it.
 */
import type { Compaction } from '../../store-maintenance.ts';
import type { OpenDatabase } from '../file/open.ts';
import { storageErrorKind } from '../file/storage-error-kind.ts';
import { askForRebuild } from './rebuild.ts';
import { spend } from './spend.ts';
import type { UnusedNames } from './unused-names.ts';

const piecePages = 4;

type Outcome = 'done' | 'stopped' | 'at-next-start';

export class Compactor {
  readonly #db: OpenDatabase;
  readonly #unused: UnusedNames;
  readonly #tell: (state: Compaction) => void;
  #state: Compaction | null = null;
  #pass: Generator<void, Outcome> | null = null;

  /** @param tell called after every progress */
  constructor(db: OpenDatabase, unused: UnusedNames, tell: (state: Compaction) => void) {
    this.#db = db;
    this.#unused = unused;
    this.#tell = tell;
  }

  /** Does nothing while a compaction runs. */
  begin(): void {
    if (this.#pass) return;
    const none = { part: 0, freed_bytes: 0, ended_ms: null, problem: null };
    this.#state = { state: 'running', phase: 'names', left_bytes: this.#free(), began_ms: Date.now(), ...none };
    this.#pass = this.#run();
    this.#say({});
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
      this.fail(storageErrorKind(error) === 'full' ? `The disk is full (${message}). Free some room, and begin again.` : message);
      return false;
    }
  }

  *#run(): Generator<void, Outcome> {
    yield* this.#unused.drop((part) => this.#say({ part }));
    if (this.#pragma('auto_vacuum') === 0) {
      askForRebuild(this.#db.name);
      return 'at-next-start';
    }
    this.#say({ phase: 'pages', part: 0, left_bytes: this.#free() });
    const step = this.#db.transaction(() => spend(() => this.#movePages()));
    for (let freed = 0, isMore = true; isMore; ) {
      const before = this.#pragma('page_count');
      isMore = step.immediate();
      freed += (before - this.#pragma('page_count')) * this.#pragma('page_size');
      const left = this.#free();
      this.#say({ freed_bytes: freed, left_bytes: left, part: left === 0 ? 1 : freed / (freed + left) });
      yield;
    }
    return 'done';
  }

  #movePages(): boolean {
    this.#db.exec(`PRAGMA incremental_vacuum(${piecePages})`);
    return this.#pragma('freelist_count') > 0;
  }

  #end(how: Partial<Compaction>): void {
    this.#pass = null;
    this.#say({ ...how, ended_ms: Date.now() });
  }

  #say(news: Partial<Compaction>): void {
    if (!this.#state) return;
    this.#state = { ...this.#state, ...news };
    this.#tell(this.#state);
  }

  #free(): number {
    return this.#pragma('freelist_count') * this.#pragma('page_size');
  }

  #pragma(name: string): number {
    return Number(this.#db.pragma(name, { simple: true }));
  }
}
