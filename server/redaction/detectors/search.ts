/** Goes over a text once and lets detectors look at the places they asked for. */
import type { HiddenKind } from '../../../shared/contract/operations/redaction.ts';
import { digits, hexadecimal, isIn, letters } from './characters.ts';

/**
 * How values are found in texts. Texts are anybody's, so a look costs a bounded number of steps wherever it is called, unless it finds
 * something, and what it found it does not look at again: the whole is linear in the length of the text. Nothing here is one regular
 * expression over a whole text.
 */

/** A stretch of a text, as `slice` has it. */
export interface Stretch {
  start: number;
  end: number;
}

/** Looks at one place of a text, given as a position. What it finds may begin before that place. */
export type Look = (text: string, at: number) => Stretch | null;

export interface Detector {
  kind: HiddenKind;
  /** It looks where a word begins with one of these (ASCII letters and digits). */
  words?: string;
  /** It looks at each of these signs (ASCII, neither letters nor digits). */
  signs?: string;
  look: Look;
}

export interface Finding {
  kind: HiddenKind;
  start: number;
  end: number;
  /** Of the detector. */
  rank: number;
}

const secrets: ReadonlySet<HiddenKind> = new Set(['api_key', 'private_key', 'jwt', 'credential']);

const [nothing, inWord, sign] = [0, 1, 2];
const backslash = 0x5c;
const percent = 0x25;
const wordCodes = new Set([...digits, ...letters].map((each) => each.charCodeAt(0)));

export class Search {
  readonly #detectors: readonly Detector[];
  /** What each ASCII character is to us, and whom it calls: numbers of detectors. */
  readonly #sorts = new Uint8Array(128);
  readonly #called: (number[] | undefined)[] = new Array(128);
  /** Up to where each detector has found something. */
  readonly #ends: number[];

  constructor(detectors: readonly Detector[]) {
    this.#detectors = detectors;
    this.#ends = detectors.map(() => 0);
    for (const code of wordCodes) this.#sorts[code] = inWord;
    for (const code of [backslash, percent]) this.#sorts[code] = sign;
    detectors.forEach(({ words = '', signs = '' }, number) => {
      for (const each of words + signs) {
        const code = each.charCodeAt(0);
        this.#called[code] = [...(this.#called[code] ?? []), number];
        if (!wordCodes.has(code)) this.#sorts[code] = sign;
      }
    });
  }

  /** What is hidden in a text: apart from each other, in order. */
  in(text: string): Finding[] {
    const found: Finding[] = [];
    let isWord = false;
    // A word begins here although a letter stands before it: that letter belongs to an escape.
    let begins = -1;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      const sort = code < 128 ? this.#sorts[code] : nothing;
      if (sort === inWord) {
        if (!isWord || at === begins) this.#look(text, at, code, found);
        isWord = true;
        continue;
      }
      isWord = false;
      if (sort !== sign) continue;
      this.#look(text, at, code, found);
      if (code === backslash) begins = escapeEnd(text, at);
      else if (code === percent && isIn(hexadecimal, text, at + 1) && isIn(hexadecimal, text, at + 2)) begins = at + 3;
    }
    if (found.length === 0) return found;
    this.#ends.fill(0);
    return apart(found);
  }

  #look(text: string, at: number, code: number, found: Finding[]): void {
    const called = this.#called[code];
    if (called === undefined) return;
    for (const number of called) {
      if (at < (this.#ends[number] as number)) continue;
      const { kind, look } = this.#detectors[number] as Detector;
      const stretch = look(text, at);
      if (stretch === null || stretch.end <= stretch.start) continue;
      this.#ends[number] = stretch.end;
      found.push({ kind, start: withEscape(text, stretch.start), end: stretch.end, rank: number });
    }
  }
}

/** What begins with the letter of an escape (`\npm_…` may be a line break and may be a path) takes the escape with it: half of one would be no JSON. */
function withEscape(text: string, start: number): number {
  if (text[start - 1] !== '\\' || !'nrtbfu'.includes(text[start] ?? '-')) return start;
  let from = start;
  while (text[from - 1] === '\\') from--;
  return from;
}

/** Where JSON in a text goes on behind `\n` or `\u00e9`. */
function escapeEnd(text: string, at: number): number {
  const next = text[at + 1];
  if (next === 'u') return at + 6;
  return next !== undefined && 'nrtbf'.includes(next) ? at + 2 : -1;
}

/** Findings that touch the same characters are one, of the longest's kind; but what is of a person yields to a secret. */
function apart(found: readonly Finding[]): Finding[] {
  if (found.length === 1) return [...found];
  const kept = united(found.filter(({ kind }) => secrets.has(kind)));
  const others = united(found.filter(({ kind }) => !secrets.has(kind)));
  let next = 0;
  const free = others.filter((other) => {
    while (next < kept.length && (kept[next] as Finding).end <= other.start) next++;
    const secret = kept[next];
    return secret === undefined || secret.start >= other.end;
  });
  return [...kept, ...free].sort((a, b) => a.start - b.start);
}

function united(found: readonly Finding[]): Finding[] {
  const result: Finding[] = [];
  let longest: Finding | undefined;
  for (const each of found.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last === undefined || longest === undefined || each.start >= last.end) {
      result.push({ ...each });
      longest = each;
      continue;
    }
    const gain = each.end - each.start - (longest.end - longest.start);
    // Of equal ones the detector that knows more says the kind: a key is a key also behind `Bearer`.
    if (gain > 0 || (gain === 0 && each.rank < longest.rank)) {
      last.kind = each.kind;
      longest = each;
    }
    last.end = Math.max(last.end, each.end);
  }
  return result;
}
