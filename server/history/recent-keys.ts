/** Remembers the newest keys of a file of any length, and what belongs to them. */

const keysMax = 20_000;

export class RecentValues<T> {
  readonly #values = new Map<string, T>();

  has(key: string): boolean {
    return this.#values.has(key);
  }

  get(key: string): T | undefined {
    return this.#values.get(key);
  }

  set(key: string, value: T): void {
    this.#values.set(key, value);
    const [oldest] = this.#values.keys();
    if (oldest !== undefined && this.#values.size > keysMax) this.#values.delete(oldest);
  }
}

export class RecentKeys {
  readonly #keys = new RecentValues<true>();

  /** @returns whether it is new */
  add(key: string): boolean {
    if (this.#keys.has(key)) return false;
    this.#keys.set(key, true);
    return true;
  }

  has(key: string): boolean {
    return this.#keys.has(key);
  }
}
