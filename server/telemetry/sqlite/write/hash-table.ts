/**
 * Row ids by hash, outside the heap: a map of tens of thousands of entries would be marked by every garbage collection. Keeps the most recently
 * used entries in two generations, like `RecentCache`: the older one is dropped as a whole.
 */

/** A row has the scope, four words of hash, and the id in two words; the id of a free row is 0. */
const rowWords = 7;

export class HashTable {
  readonly #entriesMax: number;
  readonly #rows: number;
  #young: Uint32Array;
  #old: Uint32Array;
  #size = 0;

  /** @param entriesMax for both generations together */
  constructor(entriesMax: number) {
    this.#entriesMax = entriesMax / 2;
    this.#rows = 2 ** Math.ceil(Math.log2(entriesMax));
    this.#young = new Uint32Array(this.#rows * rowWords);
    this.#old = new Uint32Array(this.#rows * rowWords);
  }

  /** 0 for none. @param hash sixteen bytes */
  get(scope: number, hash: Buffer): number {
    const young = numberAt(this.#young, this.#find(this.#young, scope, hash));
    if (young !== 0) return young;
    const old = numberAt(this.#old, this.#find(this.#old, scope, hash));
    if (old !== 0) this.set(scope, hash, old);
    return old;
  }

  /** @param number at least 1 */
  set(scope: number, hash: Buffer, number: number): void {
    const at = this.#find(this.#young, scope, hash);
    const isNew = numberAt(this.#young, at) === 0;
    this.#young[at] = scope;
    for (let word = 0; word < 4; word++) this.#young[at + 1 + word] = hash.readUInt32LE(word * 4);
    this.#young[at + 5] = number % 2 ** 32;
    this.#young[at + 6] = Math.floor(number / 2 ** 32);
    if (isNew) this.#size++;
    if (this.#size < this.#entriesMax) return;
    [this.#young, this.#old] = [this.#old.fill(0), this.#young];
    this.#size = 0;
  }

  /** Row of a hash, or the free row for it. At most half of the rows are used. */
  #find(table: Uint32Array, scope: number, hash: Buffer): number {
    const [a, b, c, d] = [hash.readUInt32LE(0), hash.readUInt32LE(4), hash.readUInt32LE(8), hash.readUInt32LE(12)];
    let row = (a ^ scope) & (this.#rows - 1);
    for (;;) {
      const at = row * rowWords;
      if (numberAt(table, at) === 0) return at;
      if (table[at] === scope && table[at + 1] === a && table[at + 2] === b && table[at + 3] === c && table[at + 4] === d) return at;
      row = (row + 1) & (this.#rows - 1);
    }
  }
}

const numberAt = (table: Uint32Array, at: number): number => (table[at + 5] as number) + (table[at + 6] as number) * 2 ** 32;
