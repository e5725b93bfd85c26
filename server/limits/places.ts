/** Counts concurrent slots by name. */
export class Places {
  readonly #held = new Map<string, number>();

  /**
   * Takes one place under each name, or none at all.
   * @param wanted names, each with how many there may be; null is no limit
   * @returns how to give them back, which may be called more than once; or the index of the first that is full
   */
  take(wanted: readonly (readonly [name: string, most: number | null])[]): (() => void) | number {
    const limited = wanted.map(([name, most]) => most !== null && (this.#held.get(name) ?? 0) >= most);
    const full = limited.indexOf(true);
    if (full !== -1) return full;
    const names = wanted.filter(([, most]) => most !== null).map(([name]) => name);
    for (const name of names) this.#held.set(name, (this.#held.get(name) ?? 0) + 1);
    let isHeld = true;
    return () => {
      if (isHeld) for (const name of names) this.#giveBack(name);
      isHeld = false;
    };
  }

  #giveBack(name: string): void {
    const left = (this.#held.get(name) ?? 0) - 1;
    if (left > 0) this.#held.set(name, left);
    else this.#held.delete(name);
  }
}
