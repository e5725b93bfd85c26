/**
 * How long a read may take. SQLite's own interrupt is not in the driver, so whoever reads rows, inflates blocks or answers SQL
 * from a function asks here in between; what is past its time ends there, and the reader is free for the next (reliability C15).
 */
import { StorageError } from '../../storage-error.ts';

export class TimeLimit {
  readonly #budgetMs: number;
  #endsAt = 0;

  constructor(budgetMs: number) {
    this.#budgetMs = budgetMs;
  }

  begin(): void {
    this.#endsAt = performance.now() + this.#budgetMs;
  }

  /** @throws StorageError `slow` */
  check(): void {
    if (performance.now() <= this.#endsAt) return;
    throw new StorageError(
      'slow',
      `The query took longer than ${this.#budgetMs / 1000} s and was stopped. Narrow it: a shorter time, a session, a user`,
    );
  }

  /**
   * For conditions of statements, where it is always true.
   * @throws StorageError `slow`
   */
  isLeft(): 1 {
    this.check();
    return 1;
  }
}
