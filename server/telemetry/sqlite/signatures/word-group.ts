/** The words of consecutive units, opened for search. */
import { release } from '../../../platform/release.ts';
import { marks } from './byte-kinds.ts';
import type { QueryWord } from './query-words.ts';

const newline = 0x0a;
const [encodedUnits, countUnits, anyUnits] = [marks.encoded, marks.count, marks.any].map((mark) => Buffer.from(`\n${mark}\n`)) as [
  Buffer,
  Buffer,
  Buffer,
];

/** A set of units: bit n of byte m is the unit `8 * m + n`. */
export type UnitSet = Uint8Array;

/** Units that may have some words. */
export interface Candidates {
  units: UnitSet;
  /** Those of them in which not only spans with encoded bytes may have the words. */
  whole: UnitSet;
}

export class WordGroup {
  readonly #words: Buffer;
  /** The entries that are no words. */
  readonly #marks: Buffer;
  readonly #readPlanes: () => Uint8Array;
  #planes: Uint8Array | null = null;
  readonly #planeCount: number;

  /**
   * @param words each after a line break, and one at the end
   * @param readPlanes see `WordTable.pack`; called when a word is found, which is rare
   */
  constructor(words: Buffer, readPlanes: () => Uint8Array, units: number) {
    this.#words = words;
    this.#readPlanes = readPlanes;
    this.#planeCount = Math.ceil(units / 8);
    this.#marks = marksIn(words);
  }

  /** Units that may have words that contain all of the given words; a unit that is missing has not. */
  unitsWith(words: readonly QueryWord[]): Candidates {
    const [units, whole] = [this.#all(), this.#all()];
    for (const word of words) {
      const found = this.#unitsWithWord(word);
      keepCommon(whole, found);
      addAll(found, this.#withAll([encodedUnits, ...word.trigrams]));
      keepCommon(units, found);
      if (isEmpty(units)) break;
    }
    return { units, whole };
  }

  /** Units that may satisfy all clauses, each by one of its lists of words. */
  unitsOf(clauses: readonly (readonly (readonly QueryWord[])[])[]): Candidates {
    const [units, whole] = [this.#all(), this.#all()];
    for (const alternatives of clauses) {
      const [any, anyWhole] = [new Uint8Array(this.#planeCount), new Uint8Array(this.#planeCount)];
      for (const words of alternatives) {
        const found = this.unitsWith(words);
        addAll(any, found.units);
        addAll(anyWhole, found.whole);
      }
      keepCommon(units, any);
      keepCommon(whole, anyWhole);
      if (isEmpty(units)) break;
    }
    return { units, whole };
  }

  #all(): UnitSet {
    return new Uint8Array(this.#planeCount).fill(0xff);
  }

  /** Releases memory at once, because a search opens hundreds of groups. The object cannot be used afterwards. */
  close(): void {
    release(this.#words);
    if (this.#planes) release(this.#planes);
  }

  /** Without those that may have the word in encoded bytes. */
  #unitsWithWord({ lower, anyCase, fractions }: QueryWord): UnitSet {
    const found = anyCase && !isAscii(lower) ? this.#findInAnyCase(anyCase) : this.#find(lower);
    addAll(found, this.#find(anyUnits));
    if (fractions.length === 0) return found;
    addAll(found, this.#withAll(fractions));
    addAll(found, this.#find(countUnits));
    return found;
  }

  #withAll(entries: readonly Buffer[]): UnitSet {
    let all: UnitSet | null = null;
    for (const entry of entries) {
      const found = this.#find(entry);
      if (all) keepCommon(found, all);
      all = found;
      if (isEmpty(found)) break;
    }
    return all ?? new Uint8Array(this.#planeCount);
  }

  /** Units of the words that contain the bytes. */
  #find(pattern: Buffer, words = pattern[0] === newline ? this.#marks : this.#words): UnitSet {
    const found = new Uint8Array(this.#planeCount);
    // A pattern that is a whole entry begins with the line break before it.
    const skip = pattern[0] === newline ? 1 : 0;
    let [index, line] = [-1, -1];
    for (let hit = words.indexOf(pattern); hit !== -1; hit = words.indexOf(pattern, line)) {
      for (let at = line + 1; at < hit + skip; at++) if (words[at] === newline) index++;
      this.#addUnits(index, found);
      line = words.indexOf(newline, hit + skip) - 1;
      if (line < 0) break;
    }
    return found;
  }

  #addUnits(word: number, found: UnitSet): void {
    this.#planes ??= this.#readPlanes();
    const words = this.#planes.length / this.#planeCount;
    for (let plane = 0; plane < found.length; plane++)
      found[plane] = (found[plane] as number) | (this.#planes[plane * words + word] as number);
  }

  /** Units of the words that match a pattern, as Latin-1. */
  #findInAnyCase(pattern: RegExp): UnitSet {
    const found = new Uint8Array(this.#planeCount);
    const latin1 = this.#words.toString('latin1');
    const every = new RegExp(pattern, 'g');
    let [index, at] = [-1, 0];
    for (let hit = every.exec(latin1); hit; hit = every.exec(latin1)) {
      for (; at < hit.index; at++) if (this.#words[at] === newline) index++;
      this.#addUnits(index, found);
      every.lastIndex = this.#words.indexOf(newline, hit.index);
    }
    return found;
  }
}

const isAscii = (bytes: Buffer): boolean => bytes.every((byte) => byte < 0x80);

/** They come first. */
function marksIn(words: Buffer): Buffer {
  let [last, end] = [0, words.length];
  while (last < end) {
    const middle = (last + end) >> 1;
    const next = words.indexOf(newline, middle) + 1;
    if (next === 0 || next >= words.length || (words[next] as number) >= 0x20) end = middle;
    else last = next;
  }
  return words.subarray(0, words.indexOf(newline, last) + 1);
}

const isEmpty = (units: UnitSet): boolean => units.every((bits) => bits === 0);

function keepCommon(of: UnitSet, units: UnitSet): void {
  for (let plane = 0; plane < of.length; plane++) of[plane] = (of[plane] as number) & (units[plane] as number);
}

function addAll(to: UnitSet, units: UnitSet): void {
  for (let plane = 0; plane < to.length; plane++) to[plane] = (to[plane] as number) | (units[plane] as number);
}
