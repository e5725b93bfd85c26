import type { Clock } from '../platform/clock.ts';

const windowMs = 10_000;

/** How many in a second, over the last ten. */
export class Rate {
  readonly #clock: Clock;
  #counted: { at_ms: number; count: number }[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  count(count: number): void {
    this.#forget();
    this.#counted.push({ at_ms: this.#clock.now(), count });
  }

  get perSecond(): number {
    this.#forget();
    return this.#counted.reduce((sum, { count }) => sum + count, 0) / (windowMs / 1000);
  }

  #forget(): void {
    const since = this.#clock.now() - windowMs;
    this.#counted = this.#counted.filter(({ at_ms }) => at_ms > since);
  }
}
