/** The words of consecutive units, opened for search. */
import { foldCase } from '../../../../shared/filter/fold-case.ts';
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

export class WordGroup {
  readonly #words: Buffer;
  /** The words in the form in which case does not matter. */
  #folded: Buffer | null = null;
  /** The entries that are no words. */
  readonly #marks: Buffer;
  readonly #planes: Uint8Array;
  readonly #planeCount: number;
  readonly #wordCount: number;

  /** @param words each after a line break, and one at the end @param planes see `WordTable.pack` */
  constructor(words: Buffer, planes: Uint8Array, units: number) {
    this.#words = words;
    this.#planes = planes;
    this.#planeCount = Math.ceil(units / 8);
    this.#wordCount = planes.length / this.#planeCount;
    this.#marks = marksIn(words);
  }

  /** Units that may have a word that contains all of the given words; a unit that is missing has not. */
  unitsWith(words: readonly QueryWord[]): UnitSet {
    const result = new Uint8Array(this.#planeCount).fill(0xff);
    for (const word of words) {
      const found = this.#unitsWithWord(word);
      let isEmpty = true;
      for (let plane = 0; plane < result.length; plane++) {
        result[plane] = (result[plane] as number) & (found[plane] as number);
        isEmpty &&= result[plane] === 0;
      }
      if (isEmpty) break;
    }
    return result;
  }

  /** Releases memory at once, because a search opens hundreds of groups. The object cannot be used afterwards. */
  close(): void {
    release(this.#words);
    release(this.#planes);
  }

  #unitsWithWord({ bytes, isFolded, trigrams, fractions }: QueryWord): UnitSet {
    const found = this.#find(bytes, isFolded);
    addAll(found, this.#find(anyUnits));
    addAll(found, this.#withAll([encodedUnits, ...trigrams]));
    if (fractions.length === 0) return found;
    addAll(found, this.#withAll(fractions));
    addAll(found, this.#find(countUnits));
    return found;
  }

  #withAll(entries: readonly Buffer[]): UnitSet {
    let all: UnitSet | null = null;
    for (const entry of entries) {
      const found = this.#find(entry);
      for (let plane = 0; all && plane < all.length; plane++) found[plane] = (found[plane] as number) & (all[plane] as number);
      all = found;
      if (found.every((units) => units === 0)) break;
    }
    return all ?? new Uint8Array(this.#planeCount);
  }

  /** Units of the words that contain the bytes. */
  #find(pattern: Buffer, isFolded = false): UnitSet {
    const found = new Uint8Array(this.#planeCount);
    if (isFolded) this.#folded ??= Buffer.from(foldCase(this.#words.toString()));
    const words = pattern[0] === newline ? this.#marks : isFolded ? (this.#folded as Buffer) : this.#words;
    // A pattern that is a whole entry begins with the line break before it.
    const skip = pattern[0] === newline ? 1 : 0;
    let [index, line] = [-1, -1];
    for (let hit = words.indexOf(pattern); hit !== -1; hit = words.indexOf(pattern, line)) {
      for (let at = line + 1; at < hit + skip; at++) if (words[at] === newline) index++;
      for (let plane = 0; plane < found.length; plane++)
        found[plane] = (found[plane] as number) | (this.#planes[plane * this.#wordCount + index] as number);
      line = words.indexOf(newline, hit + skip) - 1;
      if (line < 0) break;
    }
    return found;
  }
}

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

function addAll(to: UnitSet, units: UnitSet): void {
  for (let plane = 0; plane < to.length; plane++) to[plane] = (to[plane] as number) | (units[plane] as number);
}
