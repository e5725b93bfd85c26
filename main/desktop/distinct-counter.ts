/** Number of remembered ids; an id that returns after more than this counts again. */
const rememberedMax = 10_000;

/** Counts distinct ids in bounded memory, because the app may run for months. */
export class DistinctCounter {
  readonly #recent = new Set<string>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(id: string): void {
    // Moves a known id to the most recent end.
    if (!this.#recent.delete(id)) this.#count++;
    this.#recent.add(id);
    if (this.#recent.size > rememberedMax) this.#recent.delete(this.#recent.values().next().value as string);
  }
}
