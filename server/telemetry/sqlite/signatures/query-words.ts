/** The words of a query: what a text that contains the query was sent with. */
import { foldCase } from '../../../../shared/filter/fold-case.ts';
import { anyCasePattern } from './any-case.ts';
import { isTrigram, kinds, letter, lowerCase, marks, wide, wideLength, wordLengthMin } from './byte-kinds.ts';
import { normaliserText } from './normaliser-words.ts';

export interface QueryWord {
  /** Part of a word; folded if it is sought in any case. */
  bytes: Buffer;
  /** Finds it in any case in bytes that are read as Latin-1; null if its case matters. */
  anyCase: RegExp | null;
  /** The bytes with ASCII letters in lower case, as in signatures. */
  lower: Buffer;
  /** Entries that a unit has if the word is part of encoded bytes. */
  trigrams: Buffer[];
  /** Entries that a unit has if the word is part of a long fraction; none if that is impossible. */
  fractions: Buffer[];
}

const backslash = 0x5c;
/** A word may begin with the letter of an escape, as in JSON text that was made of a text with line breaks. */
const escapeLetters = new Set(Buffer.from('bfnrt'));

/**
 * Words that are in every text with the query. Words that are part of a text of the normaliser are left out: a content can have them although they
 * were not sent.
 */
export const queryWordsOf = (query: string): QueryWord[] => wordsOf(query, normaliserText, false);

/** The same for a folded text and a query of which the case does not matter. */
export const foldedWordsOf = (query: string): QueryWord[] => wordsOf(foldCase(query), foldedNormaliserText, true);

const foldedNormaliserText = Buffer.from(foldCase(normaliserText.toString()));

function wordsOf(query: string, ofNormaliser: Buffer, isFolded: boolean): QueryWord[] {
  const bytes = Buffer.from(query);
  const words: QueryWord[] = [];
  const add = (start: number, end: number) => {
    const word = bytes.subarray(start, end);
    if (word.length >= wordLengthMin && !ofNormaliser.includes(word)) words.push(queryWord(word, isFolded));
  };
  for (let at = 0; at < bytes.length; ) {
    const kind = kinds[bytes[at] as number];
    let end = at + 1;
    if (kind === letter) {
      while (kinds[bytes[end] as number] === letter) end++;
      const isOpen = at === 0 || bytes[at - 1] === backslash;
      add(isOpen && escapeLetters.has(bytes[at] as number) ? at + 1 : at, end);
    } else if (kind === wide) {
      end = at + wideLength(bytes[at] as number);
      const isPair = kinds[bytes[end] as number] === wide;
      add(at, isPair ? end + wideLength(bytes[end] as number) : end);
    }
    at = end;
  }
  // Long ones are rare, and what lacks one need not be searched for the others.
  return words.sort((a, b) => b.bytes.length - a.bytes.length);
}

function queryWord(bytes: Buffer, isFolded: boolean): QueryWord {
  const at = [...bytes.keys()].slice(0, -2);
  const lower = Buffer.from(bytes.map((byte) => lowerCase[byte] as number));
  const entry = (mark: string, from: number) => Buffer.from(`\n${mark}${lower.toString('latin1', from, from + 3)}\n`, 'latin1');
  const isNumber = bytes.every((byte) => byte >= 0x30 && byte <= 0x39);
  return {
    bytes,
    anyCase: isFolded ? anyCasePattern(bytes.toString()) : null,
    lower,
    trigrams: at.filter((from) => isTrigram(bytes, from)).map((from) => entry(marks.trigram, from)),
    fractions: isNumber ? at.map((from) => entry(marks.fraction, from)) : [],
  };
}
