/** Sets of rows and of ids as bits of 32-bit words. */

export const wordsOf = (bits: number): number => (bits + 31) >>> 5;

/** Sets all bits of the first rows, and clears the others. */
export function fillRows(words: Uint32Array, rows: number): void {
  words.fill(0xffffffff, 0, rows >>> 5);
  words.fill(0, rows >>> 5);
  if ((rows & 31) !== 0) words[rows >>> 5] = 2 ** (rows & 31) - 1;
}

export function andWith(words: Uint32Array, other: Uint32Array): void {
  for (let at = 0; at < words.length; at++) words[at] = (words[at] as number) & (other[at] as number);
}

export function orWith(words: Uint32Array, other: Uint32Array): void {
  for (let at = 0; at < words.length; at++) words[at] = (words[at] as number) | (other[at] as number);
}

/** Rows that are not in the set. */
export function invert(words: Uint32Array, rows: number): void {
  for (let at = 0; at < words.length; at++) words[at] = ~(words[at] as number);
  words.fill(0, wordsOf(rows));
  const rest = rows & 31;
  if (rest !== 0) words[rows >>> 5] = (words[rows >>> 5] as number) & (2 ** rest - 1);
}

export function countBits(words: Uint32Array): number {
  let count = 0;
  for (let at = 0; at < words.length; at++) {
    let word = words[at] as number;
    if (word === 0) continue;
    word -= (word >>> 1) & 0x55555555;
    word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
    count += (((word + (word >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
  }
  return count;
}

/** Calls `visit` with each row of the set, in order. */
export function eachBit(words: Uint32Array, visit: (row: number) => void): void {
  for (let at = 0; at < words.length; at++) {
    let word = words[at] as number;
    while (word !== 0) {
      const lowest = word & -word;
      visit((at << 5) + 31 - Math.clz32(lowest));
      word ^= lowest;
    }
  }
}

/** A set of row ids, which grows. One bit for each id up to the largest. */
export class IdSet {
  words = new Uint32Array(1024);
  /** Their number, or more: rows that are added together may be there already. */
  size = 0;

  static of(ids: Iterable<number>): IdSet {
    const set = new IdSet();
    for (const id of ids) set.add(id);
    return set;
  }

  add(id: number): void {
    const at = Math.floor(id / 32);
    this.#makeRoom(at + 1);
    const word = this.words[at] as number;
    const bit = 1 << (id & 31);
    if ((word & bit) !== 0) return;
    this.words[at] = word | bit;
    this.size++;
  }

  /** Adds the bits of a set of rows, the first of which has this id, a multiple of 32. */
  addRows(first: number, rows: Uint32Array): void {
    const start = first / 32;
    this.#makeRoom(start + rows.length);
    for (let at = 0; at < rows.length; at++) this.words[start + at] = (this.words[start + at] as number) | (rows[at] as number);
    this.size += countBits(rows);
  }

  has(id: number): boolean {
    return (((this.words[Math.floor(id / 32)] ?? 0) >>> (id & 31)) & 1) === 1;
  }

  #makeRoom(words: number): void {
    if (words <= this.words.length) return;
    const grown = new Uint32Array(Math.max(words, this.words.length * 2));
    grown.set(this.words);
    this.words = grown;
  }
}
