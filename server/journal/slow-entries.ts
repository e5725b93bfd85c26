/**
 * Entries that take the database too long although it stores others meanwhile: they are too large for it, and must not be tried for ever. When it takes
 * too long for everything, it is busy or ill, and no entry is to blame.
 */

/** Some minutes of trying. */
const attemptsMax = 30;

export class SlowEntries {
  /** By id: failures that count, and what was stored at the last failure. */
  readonly #failures = new Map<string, { count: number; stored: number }>();
  #stored = 0;

  stored(id: string): void {
    this.#stored++;
    this.#failures.delete(id);
  }

  /** Call it when all that was stored at the same time is noted. @returns whether it is too large */
  failed(id: string): boolean {
    const before = this.#failures.get(id) ?? { count: 0, stored: 0 };
    const count = before.count + Number(this.#stored > before.stored);
    this.#failures.set(id, { count, stored: this.#stored });
    return count >= attemptsMax;
  }

  /** It is not tried again. */
  ended(id: string): void {
    this.#failures.delete(id);
  }
}
