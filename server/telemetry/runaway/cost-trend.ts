/** What a run costs, and how fast: a few samples of the last minutes. */
const windowMs = 5 * 60_000;
const sampleMs = 15_000;
/** A rate over a shorter time says little: a single expensive call would be a high one. */
const spanMinMs = 60_000;

export class CostTrend {
  /** At most `windowMs / sampleMs + 2` of them. */
  readonly #samples: { at_ms: number; cost: number }[] = [];
  #cost = 0;

  /** @param cost of the whole run, in US dollars */
  add(at_ms: number, cost: number): void {
    this.#cost = cost;
    const last = this.#samples.at(-1);
    if (last && at_ms - last.at_ms < sampleMs) return;
    this.#samples.push({ at_ms, cost });
    while (this.#samples.length > windowMs / sampleMs + 1 || (this.#samples[1]?.at_ms ?? at_ms) < at_ms - windowMs) this.#samples.shift();
  }

  get cost(): number {
    return this.#cost;
  }

  /** US dollars a minute over the last minutes; 0 while they are too few. */
  perMinute(at_ms: number): number {
    const [first] = this.#samples;
    if (!first || at_ms - first.at_ms < spanMinMs) return 0;
    return ((this.#cost - first.cost) * 60_000) / (at_ms - first.at_ms);
  }
}
