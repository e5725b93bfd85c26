/** Counts used slots by name. */
export class Slots {
  readonly #used = new Map<string, number>();

  /** Number of taken slots under a name. */
  used(name: string): number {
    return this.#used.get(name) ?? 0;
  }

  /**
   * Takes one slot under each name, or none at all.
   * @param requested names with their limits; null for no limit
   * @returns a function that releases them, which may be called more than once; or the index of the first name without a free slot
   */
  take(requested: readonly (readonly [name: string, limit: number | null])[]): (() => void) | number {
    const limited = requested.map(([name, limit]) => limit !== null && (this.#used.get(name) ?? 0) >= limit);
    const full = limited.indexOf(true);
    if (full !== -1) return full;
    const names = requested.filter(([, limit]) => limit !== null).map(([name]) => name);
    for (const name of names) this.#used.set(name, (this.#used.get(name) ?? 0) + 1);
    let isTaken = true;
    return () => {
      if (isTaken) for (const name of names) this.#release(name);
      isTaken = false;
    };
  }

  #release(name: string): void {
    const left = (this.#used.get(name) ?? 0) - 1;
    if (left > 0) this.#used.set(name, left);
    else this.#used.delete(name);
  }
}
