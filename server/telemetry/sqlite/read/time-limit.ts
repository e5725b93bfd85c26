/**
 * Time limit and cancellation of reads. The driver lacks SQLite's interrupt, so code that reads rows, inflates blocks or runs SQL functions
 * checks here; a statement that may scan many rows checks through `inTime`. An expired or abandoned read ends there, and the reader is free.
 */
import { StorageError } from '../../storage-error.ts';

/** Signals of other threads to a running read. Each is one number. */
export interface ReaderSignals {
  /** Not zero once the store is being closed. */
  closing: Int32Array;
  /** Id of the read to interrupt, so that a late signal does not end the next read. */
  interrupt: Int32Array;
}

/** Limits of a single read. */
export interface ReadLimits {
  /** Id of the read. */
  id: number;
  /** Remaining time. */
  leftMs: number;
}

export class TimeLimit {
  readonly #budgetMs: number;
  readonly #signals: ReaderSignals | undefined;
  #id = 0;
  #endsAt = 0;

  /** @param budgetMs total time of a read @param signals absent for a reader without a pool */
  constructor(budgetMs: number, signals?: ReaderSignals) {
    this.#budgetMs = budgetMs;
    this.#signals = signals;
  }

  /** @throws StorageError `stopping` */
  begin({ id, leftMs }: ReadLimits = { id: 0, leftMs: this.#budgetMs }): void {
    this.#id = id;
    this.#checkSignals();
    this.#endsAt = performance.now() + leftMs;
  }

  /** @throws StorageError `slow`, `abandoned` or `stopping` */
  check(): void {
    this.#checkSignals();
    if (performance.now() <= this.#endsAt) return;
    throw new StorageError(
      'slow',
      `The query took longer than ${this.#budgetMs / 1000} s and was stopped. Narrow it by time, session or user`,
    );
  }

  /**
   * For conditions of SQL statements, where it is always true.
   * @throws StorageError `slow`, `abandoned` or `stopping`
   */
  isLeft(): 1 {
    this.check();
    return 1;
  }

  #checkSignals(): void {
    if (!this.#signals) return;
    const { closing, interrupt } = this.#signals;
    if (Atomics.load(closing, 0) !== 0) throw new StorageError('stopping', 'The store is being closed');
    if (this.#id !== 0 && Atomics.load(interrupt, 0) === this.#id) throw abandoned();
  }
}

export const abandoned = () => new StorageError('abandoned', 'The caller no longer waits for this result');

/**
 * SQL condition that is always true and checks the time limit once in 1024 rows. Checking it for each row would take as long as reading the row.
 * @param id column with the row id of the scanned table
 */
export const inTime = (id: string): string => `(${id} & 1023 OR in_time())`;
