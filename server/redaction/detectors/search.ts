/**
 * Finds values to hide in texts. One pass over a text calls the detectors at the places that they asked for. Texts may be hostile: a call of
 * a detector takes a bounded number of steps unless it finds something, and what it found is not searched again, so that a search takes linear
 * time. No regular expression runs over a whole text.
 */
import type { HiddenKind } from '../../../shared/contract/operations/redaction.ts';

/** Range of a text, as for `slice`. */
export interface Range {
  start: number;
  end: number;
}

export interface Detector {
  kind: HiddenKind;
  /** It is called where a word begins with one of these (ASCII letters and digits). */
  words?: string;
  /** It is called at each of these characters (ASCII, neither letters nor digits). */
  signs?: string;
  /** Looks for a value at one position. The value may begin before it. */
  detect(text: string, at: number): Range | null;
}

export interface Finding extends Range {
  kind: HiddenKind;
  /** Position of the detector in the list: a smaller rank is more specific. */
  rank: number;
}

/** Set of ASCII characters: 1 at the codes of its members. */
export type CharacterSet = Uint8Array;

export function setOf(members: string): CharacterSet {
  const set = new Uint8Array(128);
  for (const member of members) set[member.charCodeAt(0)] = 1;
  return set;
}

export const digits = '0123456789';
export const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export const digit: CharacterSet = setOf(digits);
export const alphanumeric: CharacterSet = setOf(digits + letters);
export const hexadecimal: CharacterSet = setOf(`${digits}abcdefABCDEF`);
/** URL-safe base64. */
export const urlSafe: CharacterSet = setOf(`${digits + letters}_-`);
export const dotted: CharacterSet = setOf(`${digits + letters}_-.`);
export const base64: CharacterSet = setOf(`${digits + letters}+/`);

/** False outside the text. */
export const isIn = (set: CharacterSet, text: string, at: number): boolean => set[text.charCodeAt(at)] === 1;

/** End of the run of members that begins at `from`, after at most `lengthMax` characters. */
export function runEnd(set: CharacterSet, text: string, from: number, lengthMax = Number.POSITIVE_INFINITY): number {
  const last = Math.min(text.length, from + lengthMax);
  let end = from;
  while (end < last && set[text.charCodeAt(end)] === 1) end++;
  return end;
}

/** Start of the run of members that ends before `to`, at most `lengthMax` characters back. */
export function runStart(set: CharacterSet, text: string, to: number, lengthMax: number): number {
  const first = Math.max(0, to - lengthMax);
  let start = to;
  while (start > first && set[text.charCodeAt(start - 1)] === 1) start--;
  return start;
}

const escapeLetters = 'nrtbf';

/** Whether a JSON escape ends right before a position: in `\nann@…` a line break does. */
function isAfterEscape(text: string, at: number): boolean {
  if (text[at - 2] === '\\' && escapeLetters.includes(text[at - 1] ?? '-')) return true;
  return text[at - 6] === '\\' && text[at - 5] === 'u' && runEnd(hexadecimal, text, at - 4, 4) === at;
}

/** Whether a position is inside a word. The `n` of `\n` belongs to no word. */
export const isInsideWord = (text: string, at: number): boolean => isIn(alphanumeric, text, at - 1) && !isAfterEscape(text, at);

/**
 * Start of a run without the letter of a JSON escape, at any depth of JSON in JSON: the `n` of `\nann@…` belongs to the line break, and
 * replacing the run must not leave half an escape. In a Windows path this costs a letter.
 */
export function skipEscape(text: string, start: number): number {
  if (text[start - 1] !== '\\') return start;
  const letter = text[start];
  if (letter === 'u' && runEnd(hexadecimal, text, start + 1, 4) === start + 5) return start + 5;
  return letter !== undefined && escapeLetters.includes(letter) ? start + 1 : start;
}

const secretKinds: ReadonlySet<HiddenKind> = new Set(['api_key', 'private_key', 'jwt', 'credential']);

const [other, inWord, sign] = [0, 1, 2];
const backslash = 0x5c;
const percent = 0x25;
const wordCodes = new Set([...digits, ...letters].map((character) => character.charCodeAt(0)));

export class Search {
  readonly #detectors: readonly Detector[];
  /** Class of each ASCII character, and the detectors called for it, by their ranks. */
  readonly #classes = new Uint8Array(128);
  readonly #called: (number[] | undefined)[] = new Array(128);
  /** End of the newest finding of each detector. */
  readonly #ends: number[];

  constructor(detectors: readonly Detector[]) {
    this.#detectors = detectors;
    this.#ends = detectors.map(() => 0);
    for (const code of wordCodes) this.#classes[code] = inWord;
    for (const code of [backslash, percent]) this.#classes[code] = sign;
    detectors.forEach(({ words = '', signs = '' }, rank) => {
      for (const character of words + signs) {
        const code = character.charCodeAt(0);
        this.#called[code] = [...(this.#called[code] ?? []), rank];
        if (!wordCodes.has(code)) this.#classes[code] = sign;
      }
    });
  }

  /** The values to hide in a text, in order and without overlaps. */
  in(text: string): Finding[] {
    const found: Finding[] = [];
    let isWord = false;
    // A word begins here although a letter precedes it, because that letter belongs to an escape.
    let wordStart = -1;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      const characterClass = code < 128 ? this.#classes[code] : other;
      if (characterClass === inWord) {
        if (!isWord || at === wordStart) this.#detect(text, at, code, found);
        isWord = true;
        continue;
      }
      isWord = false;
      if (characterClass !== sign) continue;
      this.#detect(text, at, code, found);
      if (code === backslash) wordStart = escapeEnd(text, at);
      else if (code === percent && isIn(hexadecimal, text, at + 1) && isIn(hexadecimal, text, at + 2)) wordStart = at + 3;
    }
    if (found.length === 0) return found;
    this.#ends.fill(0);
    return withoutOverlaps(found);
  }

  #detect(text: string, at: number, code: number, found: Finding[]): void {
    const called = this.#called[code];
    if (called === undefined) return;
    for (const rank of called) {
      if (at < (this.#ends[rank] as number)) continue;
      const detector = this.#detectors[rank] as Detector;
      const range = detector.detect(text, at);
      if (range === null || range.end <= range.start) continue;
      this.#ends[rank] = range.end;
      found.push({ kind: detector.kind, start: withEscape(text, range.start), end: range.end, rank });
    }
  }
}

/**
 * Includes the backslashes before a value that begins with an escape letter (`\npm_…` may be a line break or a path), because half an escape
 * would be invalid JSON.
 */
function withEscape(text: string, start: number): number {
  if (text[start - 1] !== '\\' || !'nrtbfu'.includes(text[start] ?? '-')) return start;
  let from = start;
  while (text[from - 1] === '\\') from--;
  return from;
}

/** Position after a JSON escape such as `\n` or `\u00e9`; -1 when it is none. */
function escapeEnd(text: string, at: number): number {
  const next = text[at + 1];
  if (next === 'u') return at + 6;
  return next !== undefined && escapeLetters.includes(next) ? at + 2 : -1;
}

/** Merges overlapping findings. The longest determines the kind, but secrets replace personal data that overlaps them. */
function withoutOverlaps(found: readonly Finding[]): Finding[] {
  if (found.length === 1) return [...found];
  const secrets = merged(found.filter(({ kind }) => secretKinds.has(kind)));
  const personal = merged(found.filter(({ kind }) => !secretKinds.has(kind)));
  let next = 0;
  const separate = personal.filter((finding) => {
    while (next < secrets.length && (secrets[next] as Finding).end <= finding.start) next++;
    const secret = secrets[next];
    return secret === undefined || secret.start >= finding.end;
  });
  return [...secrets, ...separate].sort((a, b) => a.start - b.start);
}

function merged(found: readonly Finding[]): Finding[] {
  const result: Finding[] = [];
  let longest: Finding | undefined;
  for (const finding of found.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last === undefined || longest === undefined || finding.start >= last.end) {
      result.push({ ...finding });
      longest = finding;
      continue;
    }
    const gain = finding.end - finding.start - (longest.end - longest.start);
    // Of two equally long findings the more specific detector determines the kind: a key is a key also after `Bearer`.
    if (gain > 0 || (gain === 0 && finding.rank < longest.rank)) {
      last.kind = finding.kind;
      longest = finding;
    }
    last.end = Math.max(last.end, finding.end);
  }
  return result;
}
