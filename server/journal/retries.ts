/** Entries of a part that could not be applied while others could. Each has its own pause, so that it does not hold up the others. */

/** After a first failure; doubled with each further one. */
const pauseMs = { first: 500, most: 15_000 } as const;
/** With more, no other entries are taken. It is more than a part may have of those with large values. */
const entriesMax = 4096;

export class Retries {
  readonly #entries = new Map<number, { atMs: number; pauseMs: number }>();

  get numbers(): number[] {
    return [...this.#entries.keys()];
  }

  get isFull(): boolean {
    return this.#entries.size >= entriesMax;
  }

  /** Those whose pause is over. */
  due(): number[] {
    const now = performance.now();
    return [...this.#entries].filter(([, { atMs }]) => atMs <= now).map(([number]) => number);
  }

  /** @returns whether it has failed for the first time */
  failed(number: number): boolean {
    const before = this.#entries.get(number)?.pauseMs;
    const next = before === undefined ? pauseMs.first : Math.min(2 * before, pauseMs.most);
    this.#entries.set(number, { atMs: performance.now() + next, pauseMs: next });
    return before === undefined;
  }

  ended(number: number): void {
    this.#entries.delete(number);
  }
}
