/** Keeps the most recently used entries in two generations, of which the older is dropped as a whole: no list to maintain, amortised O(1). */
export class RecentCache<K, V> {
  readonly #sizeMax: number;
  #young = new Map<K, V>();
  #old = new Map<K, V>();

  constructor(sizeMax: number) {
    this.#sizeMax = sizeMax;
  }

  get(key: K): V | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: K, value: V): void {
    this.#young.set(key, value);
    if (this.#young.size < this.#sizeMax / 2) return;
    this.#old = this.#young;
    this.#young = new Map();
  }

  clear(): void {
    this.#young = new Map();
    this.#old = new Map();
  }
}
