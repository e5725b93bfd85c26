/**
 * Collects the words of bytes that were sent. Every word of a content that is derived from them is then a word, or part of a word, of the table:
 * what the normaliser rewrites (escapes, numbers, lists of bytes…) is added in its new form, too (rewritten-text.ts).
 */
import { isTrigram, kinds, letter, lowerCase, marks, wide, wideLength, wordLengthMax, wordLengthMin } from './byte-kinds.ts';
import { exactDigitsMax, openListsIn, rewrittenTexts, traits } from './rewritten-text.ts';
import { firstFactor, firstSeed, hashOf, secondFactor, secondSeed } from './word-hash.ts';
import type { WordTable } from './word-table.ts';

const [quote, comma, point, zero, nine, backslash, smallT, smallU, plus, minus, smallE] = [...Buffer.from('",.09\\tu+-e')] as [
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
];
/** Before the start and end time of a record, which are no content. */
const timesKey = Buffer.from('"t":["');
/** Fractions with as many digits are measurements, and most of them are unique. */
const fractionLengthMin = 8;

/** The bytes before and after the times of a record. */
export function withoutTimes(record: Buffer): [before: Buffer, after: Buffer] {
  const times = record.indexOf(timesKey);
  return times === -1
    ? [record.subarray(0, 0), record]
    : [record.subarray(0, times), record.subarray(Math.max(times, record.indexOf(0x5d, times)))];
}

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= zero && byte <= nine;

export class WordScanner {
  /** The `traits` of everything scanned. */
  traits = 0;
  /** Whether a word was left out because it is encoded bytes, or because the table is full. */
  hasEncoded = false;
  readonly #table: WordTable | null;
  /** Trigrams that are in the table for this unit. */
  readonly #trigrams = new Map<string, Set<number>>();
  #isRecord = false;
  #found = 0;
  #textKeys = 0;

  /** @param table null to find only the traits */
  constructor(table: WordTable | null) {
    this.#table = table;
  }

  /** Call it after the table selected another unit. */
  reset(): void {
    this.traits = 0;
    this.#trigrams.clear();
  }

  /** @param isRecord whether it is the JSON of a record, not the text of a value */
  scan(bytes: Buffer, isRecord: boolean): void {
    this.#isRecord = isRecord;
    this.#found = 0;
    this.#textKeys = 0;
    const [before, rest] = isRecord ? withoutTimes(bytes) : [bytes.subarray(0, 0), bytes];
    this.#words(before);
    this.#words(rest);
    if (this.#textKeys > 1) this.#found |= traits.textParts;
    // Escaped letters may hide the others.
    if (this.#found & traits.escapedAscii) this.#found |= traits.textParts | traits.lists | traits.numbers;
    const found = this.#found;
    if (found === 0) return;
    this.#isRecord = false;
    const sent = before.toString() + rest.toString();
    if (found & traits.lists && !isRecord) this.#openLists(sent);
    for (const text of rewrittenTexts(sent, found)) {
      this.traits |= found;
      if (this.#table) this.#words(Buffer.from(text));
    }
  }

  /** A long text is stored in pieces. */
  #openLists(text: string): void {
    const { hasCount, hasBytes } = openListsIn(text);
    if (hasCount || hasBytes) this.traits |= traits.lists;
    if (hasCount) this.#table?.addMark(marks.count);
    if (hasBytes) this.#table?.addMark(marks.any);
  }

  #words(bytes: Uint8Array): void {
    // Copied, because numbers of modules are slower to read than those of functions.
    const [factor, otherFactor, seed, otherSeed] = [firstFactor | 0, secondFactor | 0, firstSeed | 0, secondSeed | 0];
    let first = seed;
    let second = otherSeed;
    let start = 0;
    const { length } = bytes;
    const table = this.#table;
    for (let at = 0; at < length; at++) {
      const byte = bytes[at] as number;
      const kind = kinds[byte] as number;
      if (kind === letter) {
        const lower = lowerCase[byte] as number;
        first = Math.imul(first ^ lower, factor);
        second = Math.imul(second ^ lower, otherFactor);
        continue;
      }
      // Most words repeat.
      if (at - start >= wordLengthMin && !table?.has(first, second)) this.#word(bytes, start, at, first, second);
      if ((byte === plus || byte === minus) && ((bytes[at - 1] as number) | 0x20) === smallE && isDigit(bytes[at - 2]))
        this.#found |= traits.numbers;
      if (kind !== 0) at = kind === wide ? this.#wideCharacters(bytes, at) : this.#notable(bytes, at);
      start = at + 1;
      first = seed;
      second = otherSeed;
    }
    if (length - start >= wordLengthMin) this.#word(bytes, start, length, first, second);
  }

  #word(bytes: Uint8Array, start: number, end: number, first: number, second: number): void {
    const length = end - start;
    const isNumber = isDigit(bytes[start]);
    if (isNumber && !this.#isNumberToAdd(bytes, start, end)) return;
    const isNoted = isNumber || this.#note(bytes, start, end);
    const table = this.#table;
    if (!table) return;
    if (length > wordLengthMax || !table.add(bytes, start, end, first, second)) this.#encoded(bytes, start, end);
    // Words that must be seen each time are not remembered.
    else if (!isNoted) table.remember(first, second);
  }

  /** Whether a word tells that something may be rewritten. */
  #note(bytes: Uint8Array, start: number, end: number): boolean {
    const length = end - start;
    if (length === 4 && isWord(bytes, start, 'text')) {
      if (bytes[end] === quote || bytes[end] === backslash) this.#textKeys++;
      return true;
    }
    if (length !== 6) return false;
    if (isWord(bytes, start, 'double')) {
      if (bytes[start - 2] === 0x7b) this.#found |= traits.lists;
      return true;
    }
    if (!isWord(bytes, start, 'vector')) return false;
    if (bytes[end] === point && isDigit(bytes[end + 1])) this.#found |= traits.lists;
    return true;
  }

  /** Whether a word that begins with a digit is added. Notes numbers that are written in another way after they were parsed. */
  #isNumberToAdd(bytes: Uint8Array, start: number, end: number): boolean {
    let at = start;
    while (at < end && isDigit(bytes[at])) at++;
    const isWhole = at === end;
    if (!isWhole && ((bytes[at] as number) | 0x20) === 0x65 && this.#isExponent(bytes, at + 1, end)) this.#found |= traits.numbers;
    if (!isWhole) return true;
    let digits = end - start;
    const isFraction = bytes[start - 1] === point && isDigit(bytes[start - 2]);
    if (isFraction) for (let before = start - 2; isDigit(bytes[before]); before--) digits++;
    if (digits > exactDigitsMax || (isFraction && isTiny(bytes, start))) {
      if (this.#isEventTime(bytes, start)) return false;
      this.#found |= traits.numbers;
    }
    if (!isFraction || end - start < fractionLengthMin) return true;
    for (let from = start; from + 2 < end; from++) this.#trigram(bytes, from, marks.fraction);
    return false;
  }

  #isExponent(bytes: Uint8Array, from: number, end: number): boolean {
    for (let at = from; at < end; at++) if (!isDigit(bytes[at])) return false;
    return true;
  }

  /** `"t":"…"` in the JSON of a record; in a text inside it quotes are escaped. */
  #isEventTime(bytes: Uint8Array, start: number): boolean {
    return (
      this.#isRecord &&
      bytes[start - 1] === quote &&
      bytes[start - 3] === quote &&
      bytes[start - 4] === smallT &&
      bytes[start - 5] === quote
    );
  }

  /** Base64 and the like: its trigrams of one class are bounded in number, its words are not. */
  #encoded(bytes: Uint8Array, start: number, end: number): void {
    this.hasEncoded = true;
    this.#table?.addMark(marks.encoded);
    for (let at = start; at + 2 < end; at++) if (isTrigram(bytes, at)) this.#trigram(bytes, at, marks.trigram);
  }

  #trigram(bytes: Uint8Array, at: number, mark: string): void {
    const added = this.#trigrams.get(mark) ?? new Set();
    this.#trigrams.set(mark, added);
    const [a, b, c] = [lowerAt(bytes, at), lowerAt(bytes, at + 1), lowerAt(bytes, at + 2)] as const;
    const trigram = (a << 16) | (b << 8) | c;
    if (added.has(trigram)) return;
    added.add(trigram);
    this.#table?.addMark(mark + String.fromCharCode(a, b, c));
  }

  /** Adds each pair of adjacent wide characters, or a single one. Returns the last byte read. */
  #wideCharacters(bytes: Uint8Array, from: number): number {
    let before = -1;
    let at = from;
    let isPair = false;
    for (; kinds[bytes[at] as number] === wide; at += wideLength(bytes[at] as number)) {
      const end = at + wideLength(bytes[at] as number);
      if (before !== -1) this.#add(bytes, before, end);
      isPair = before !== -1;
      before = at;
    }
    const end = Math.min(at, bytes.length);
    if (!isPair) this.#add(bytes, before, end);
    return end - 1;
  }

  #add(bytes: Uint8Array, start: number, end: number): void {
    const { first, second } = hashOf(bytes, start, end);
    // Wide characters have no trigrams.
    if (this.#table?.add(bytes, start, end, first, second) === false) this.#table.addMark(marks.any);
  }

  #notable(bytes: Uint8Array, at: number): number {
    const byte = bytes[at] as number;
    if (byte === backslash) this.#found |= bytes[at + 1] === smallU ? escapeTrait(bytes, at + 2) : 0;
    else if (byte !== comma) this.#found |= traits.controls;
    else if (isDigit(bytes[at - 1]) && isDigit(bytes[nextValue(bytes, at + 1)])) this.#found |= traits.lists;
    return at;
  }
}

/** Skips white space, plain or escaped, quotes and a sign. */
function nextValue(bytes: Uint8Array, from: number): number {
  let at = from;
  for (; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    const isEscape = bytes[at - 1] === backslash && (byte === 0x6e || byte === 0x72 || byte === smallT);
    if (byte > 0x20 && byte !== quote && byte !== backslash && byte !== 0x2d && !isEscape) break;
  }
  return at;
}

/** Whether a fraction begins with six zeros: such a number is written with an exponent. */
const isTiny = (bytes: Uint8Array, start: number): boolean => isWord(bytes, start, '000000');

const lowerAt = (bytes: Uint8Array, at: number): number => lowerCase[bytes[at] as number] as number;

/** In any case, because the words that are remembered have none. */
function isWord(bytes: Uint8Array, start: number, word: string): boolean {
  for (let at = 0; at < word.length; at++) if (lowerAt(bytes, start + at) !== word.charCodeAt(at)) return false;
  return true;
}

/** What the character of a `\uXXXX` means for words. */
function escapeTrait(bytes: Uint8Array, at: number): number {
  const code = Number.parseInt(String.fromCharCode(...bytes.subarray(at, at + 4)), 16);
  if (Number.isNaN(code)) return 0;
  if (code >= 0x80) return traits.escapedLetters;
  return code === 0 || code === backslash || kinds[code] === letter ? traits.escapedAscii : 0;
}
