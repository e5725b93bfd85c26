/** Remembers the newest keys of a file of any length. */

const keysMax = 20_000;

export class RecentKeys {
  readonly #keys = new Set<string>();

  /** @returns whether it is new */
  add(key: string): boolean {
    if (this.#keys.has(key)) return false;
    this.#keys.add(key);
    const [oldest] = this.#keys;
    if (oldest !== undefined && this.#keys.size > keysMax) this.#keys.delete(oldest);
    return true;
  }

  has(key: string): boolean {
    return this.#keys.has(key);
  }
}
