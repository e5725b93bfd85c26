/**
 * The distinct words of up to 64 units in lower case, each with the units that have it. Words are told apart by 64 bits of hash with a random seed: reading the
 * bytes of each word again takes longer than everything else.
 */
import { lowerCase } from './byte-kinds.ts';
import { type Hash, hashOf } from './word-hash.ts';

const newline = 0x0a;
/** A table with more text takes no more words: what is longer is not natural language. */
const textBytesMax = 4 << 20;
/** Entries of the cache of a unit's words, most of which repeat. */
const cacheEntries = 1 << 15;
/** A slot is two halves of a hash, and two halves of the units. */
const slotNumbers = 4;

export class WordTable {
  /** Every word follows a line break and is followed by one. */
  #text = new Uint8Array(1 << 18);
  #size = 1;
  #count = 0;
  /** Of each word: its start in the text, and its slot. */
  #starts = new Int32Array(1 << 15);
  #places = new Int32Array(1 << 15);
  #slots = new Int32Array(slotNumbers << 16);
  readonly #cached = new Int32Array(cacheEntries * 2);
  #lowBit = 0;
  #highBit = 0;

  constructor() {
    this.#text[0] = newline;
  }

  /** Selects the unit to which words are added. */
  selectUnit(unit: number): void {
    this.#lowBit = unit < 32 ? 1 << unit : 0;
    this.#highBit = unit < 32 ? 0 : 1 << (unit - 32);
    this.#cached.fill(0);
  }

  /** Adds a word of the selected unit. False when the table is full. @param first one half of its hash @param half the other */
  add(bytes: Uint8Array, start: number, end: number, first: number, half: number, sizeMax = textBytesMax): boolean {
    // Odd, so that a slot with a word is never empty.
    const second = half | 1;
    let slot = this.#slotOf(first, second);
    if (this.#slots[slot + 1] === 0) {
      if (this.#size + end - start + 1 > sizeMax) return false;
      if ((this.#count + 1) * 2 * slotNumbers > this.#slots.length) {
        this.#growSlots();
        slot = this.#slotOf(first, second);
      }
      this.#slots[slot] = first;
      this.#slots[slot + 1] = second;
      this.#append(bytes, start, end, slot);
    }
    this.#slots[slot + 2] = (this.#slots[slot + 2] as number) | this.#lowBit;
    this.#slots[slot + 3] = (this.#slots[slot + 3] as number) | this.#highBit;
    return true;
  }

  /** Whether a word was remembered for the selected unit. */
  has(first: number, second: number): boolean {
    const place = ((first ^ (first >>> 15)) & (cacheEntries - 1)) << 1;
    return this.#cached[place] === first && this.#cached[place + 1] === (second | 1);
  }

  /** Remembers a word that was added, in place of another. */
  remember(first: number, second: number): void {
    const place = ((first ^ (first >>> 15)) & (cacheEntries - 1)) << 1;
    this.#cached[place] = first;
    this.#cached[place + 1] = second | 1;
  }

  /** Adds an entry that is no word, also to a full table: their number is bounded. */
  addMark(mark: string): void {
    const bytes = Buffer.from(mark);
    const { first, second }: Hash = hashOf(bytes, 0, bytes.length);
    this.add(bytes, 0, bytes.length, first, second, Number.POSITIVE_INFINITY);
  }

  /** The words of some units; bit n of a word's byte in a plane is the unit `8 * plane + n` after the first. */
  pack(firstUnit: number, units: number): { words: Buffer; planes: Uint8Array } {
    const words = Buffer.allocUnsafeSlow(this.#size);
    const kept = new Int32Array(this.#count);
    const masks = [0, 32].map((from) => maskOf(firstUnit - from, units)) as [number, number];
    let [size, count] = [1, 0];
    words[0] = newline;
    const add = (areMarks: boolean) => {
      for (let word = 0; word < this.#count; word++) {
        const start = this.#starts[word] as number;
        if ((this.#text[start] as number) < 0x20 !== areMarks) continue;
        const slot = this.#places[word] as number;
        if ((((this.#slots[slot + 2] as number) & masks[0]) | ((this.#slots[slot + 3] as number) & masks[1])) === 0) continue;
        const end = word + 1 < this.#count ? (this.#starts[word + 1] as number) : this.#size;
        for (let at = start; at < end; at++) words[size++] = this.#text[at] as number;
        kept[count++] = slot;
      }
    };
    // Entries that are no words come first: most searches look for them.
    add(true);
    add(false);
    const planes = new Uint8Array(count * Math.ceil(units / 8));
    for (let plane = 0; plane * 8 < units; plane++) {
      const from = firstUnit + plane * 8;
      const half = from < 32 ? 2 : 3;
      for (let at = 0; at < count; at++) planes[plane * count + at] = (this.#slots[(kept[at] as number) + half] as number) >>> (from & 31);
    }
    return { words: words.subarray(0, size), planes };
  }

  /** The slot of a word, or the empty one where it belongs. */
  #slotOf(first: number, second: number): number {
    const mask = this.#slots.length - 1;
    let slot = ((first ^ (first >>> 15)) * slotNumbers) & mask;
    while (this.#slots[slot + 1] !== 0 && (this.#slots[slot] !== first || this.#slots[slot + 1] !== second))
      slot = (slot + slotNumbers) & mask;
    return slot;
  }

  #append(bytes: Uint8Array, start: number, end: number, slot: number): void {
    const needed = this.#size + end - start + 1;
    if (needed > this.#text.length) {
      const larger = new Uint8Array(Math.max(needed, this.#text.length * 2));
      larger.set(this.#text);
      this.#text = larger;
    }
    if (this.#count === this.#starts.length) [this.#starts, this.#places] = [twice(this.#starts), twice(this.#places)];
    this.#starts[this.#count] = this.#size;
    this.#places[this.#count++] = slot;
    for (let from = start; from < end; from++) this.#text[this.#size++] = lowerCase[bytes[from] as number] as number;
    this.#text[this.#size++] = newline;
  }

  #growSlots(): void {
    const before = this.#slots;
    this.#slots = new Int32Array(before.length * 2);
    for (let word = 0; word < this.#count; word++) {
      const from = this.#places[word] as number;
      const slot = this.#slotOf(before[from] as number, before[from + 1] as number);
      for (let at = 0; at < slotNumbers; at++) this.#slots[slot + at] = before[from + at] as number;
      this.#places[word] = slot;
    }
  }
}

function twice(numbers: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(numbers.length * 2);
  larger.set(numbers);
  return larger;
}

/** Bits `from` to `from + count` of 32. */
function maskOf(from: number, count: number): number {
  const [first, last] = [Math.max(0, from), Math.min(32, from + count)];
  return last <= first ? 0 : ((2 ** (last - first) - 1) * 2 ** first) | 0;
}
