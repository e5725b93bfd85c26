/** Retry delays and sending pace. Uses the monotonic clock. */

const firstMs = 1_000;
const mostMs = 5 * 60_000;
/** Batches in a second. */
const fastest = 50;
const slowest = 0.2;
const fasterBy = 1;

/** Exponential backoff with full jitter, so that thousands of clients do not return together. */
export class Backoff {
  /** Since the last success. */
  failures = 0;
  readonly #random: () => number;

  constructor(random: () => number = Math.random) {
    this.#random = random;
  }

  /** @param leastMs minimum that the server asked for */
  next(leastMs: number | null): number {
    const bound = Math.min(firstMs * 2 ** Math.min(this.failures++, 32), mostMs);
    return Math.max(Math.round(bound * this.#random()), leastMs ?? 0);
  }

  reset(): void {
    this.failures = 0;
  }
}

/** Pace that increases with each accepted batch, and halves when the cloud asks for less. */
export class Pace {
  #perSecond = fastest;

  get gapMs(): number {
    return 1000 / this.#perSecond;
  }

  taken(): void {
    this.#perSecond = Math.min(this.#perSecond + fasterBy, fastest);
  }

  tooSoon(): void {
    this.#perSecond = Math.max(this.#perSecond / 2, slowest);
  }
}
