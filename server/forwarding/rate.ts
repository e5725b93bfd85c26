import type { Clock } from '../platform/clock.ts';

const windowMs = 10_000;

/** How many in a second, over the last ten. */
export class Rate {
  readonly #clock: Pick<Clock, 'monotonic'>;
  #counted: { at: number; count: number }[] = [];

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  count(count: number): void {
    this.#forget();
    this.#counted.push({ at: this.#clock.monotonic(), count });
  }

  get perSecond(): number {
    this.#forget();
    return this.#counted.reduce((sum, { count }) => sum + count, 0) / (windowMs / 1000);
  }

  #forget(): void {
    const since = this.#clock.monotonic() - windowMs;
    this.#counted = this.#counted.filter(({ at }) => at > since);
  }
}
