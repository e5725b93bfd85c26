/**
 * Time limit and cancellation of reads. The driver lacks SQLite's interrupt, so code that reads rows, inflates blocks or runs SQL functions
 * checks here; a statement that may scan many rows checks through `inTime`. An expired or abandoned read ends there, and the reader is free.
 */
import { StorageError } from '../../storage-error.ts';

/** Signals of other threads to a reader during a read. Each is one number. */
export interface ReaderSignals {
  /** Not zero once the store is being closed. */
  closing: Int32Array;
  /** Number of the read to interrupt: a late signal does not end the next read. */
  interrupt: Int32Array;
}

/** Limits of a single read. */
export interface ReadLimits {
  /** Its number. */
  id: number;
  /** Remaining time. */
  leftMs: number;
}

export class TimeLimit {
  readonly #budgetMs: number;
  readonly #signals: ReaderSignals | undefined;
  #id = 0;
  #endsAt = 0;

  /** @param budgetMs all the time that a read has @param signals absent for a reader that is alone */
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
      `The query took longer than ${this.#budgetMs / 1000} s and was stopped. Narrow it: a shorter time, a session, a user`,
    );
  }

  /**
   * For conditions of statements, where it is always true.
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

export const abandoned = () => new StorageError('abandoned', 'Nobody waits for this answer any more');

/**
 * A condition that is always true and looks at the time once in 1024 rows: a call for each row would take as long as reading it.
 * @param id the column of the row numbers of the table that is walked
 */
export const inTime = (id: string): string => `(${id} & 1023 OR in_time())`;
