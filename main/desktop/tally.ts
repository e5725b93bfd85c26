/** As many as are told apart: what comes again later than so many others counts again. */
const rememberedMax = 10_000;

/** Counts different ids in bounded memory: the app may run for months. */
export class Tally {
  readonly #recent = new Set<string>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(id: string): void {
    // What came again is the most recent again.
    if (!this.#recent.delete(id)) this.#count++;
    this.#recent.add(id);
    if (this.#recent.size > rememberedMax) this.#recent.delete(this.#recent.values().next().value as string);
  }
}
