/**
 * How long a read may take. SQLite's own interrupt is not in the driver, so whoever reads rows, inflates blocks or answers SQL
 * from a function asks here in between; what is past its time ends there, and the reader is free for the next (reliability C15).
 */
import { StorageError } from '../../storage-error.ts';

export class TimeLimit {
  readonly #budgetMs: number;
  readonly #closing: Int32Array | undefined;
  #endsAt = 0;

  /** @param closing not zero once the store is being closed, which every read of every thread is then told */
  constructor(budgetMs: number, closing?: Int32Array) {
    this.#budgetMs = budgetMs;
    this.#closing = closing;
  }

  /** @throws StorageError `stopping` */
  begin(): void {
    this.#checkOpen();
    this.#endsAt = performance.now() + this.#budgetMs;
  }

  /** @throws StorageError `slow`, or `stopping` */
  check(): void {
    this.#checkOpen();
    if (performance.now() <= this.#endsAt) return;
    throw new StorageError(
      'slow',
      `The query took longer than ${this.#budgetMs / 1000} s and was stopped. Narrow it: a shorter time, a session, a user`,
    );
  }

  /**
   * For conditions of statements, where it is always true.
   * @throws StorageError `slow`, or `stopping`
   */
  isLeft(): 1 {
    this.check();
    return 1;
  }

  #checkOpen(): void {
    if (this.#closing && Atomics.load(this.#closing, 0) !== 0) throw new StorageError('stopping', 'The store is being closed');
  }
}
