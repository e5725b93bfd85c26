/** Sets of ASCII characters, and runs of them in a text. */

/** 1 at the codes of its members. */
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
/** Base64 as URLs have it. */
export const urlSafe: CharacterSet = setOf(`${digits + letters}_-`);
export const dotted: CharacterSet = setOf(`${digits + letters}_-.`);
export const base64: CharacterSet = setOf(`${digits + letters}+/`);

/** False outside the text. */
export const isIn = (set: CharacterSet, text: string, at: number): boolean => set[text.charCodeAt(at)] === 1;

/** Where a run of members that begins at `from` ends, at most `most` characters on. */
export function runEnd(set: CharacterSet, text: string, from: number, most = Number.POSITIVE_INFINITY): number {
  const last = Math.min(text.length, from + most);
  let end = from;
  while (end < last && set[text.charCodeAt(end)] === 1) end++;
  return end;
}

/** Where a run of members that ends before `to` begins, at most `most` characters back. */
export function runStart(set: CharacterSet, text: string, to: number, most: number): number {
  const first = Math.max(0, to - most);
  let start = to;
  while (start > first && set[text.charCodeAt(start - 1)] === 1) start--;
  return start;
}

const escaped = 'nrtbf';

/** Whether an escape of JSON ends right before a place: in `\nann@…` a line break does. */
function isBehindEscape(text: string, at: number): boolean {
  if (text[at - 2] === '\\' && escaped.includes(text[at - 1] ?? '-')) return true;
  return text[at - 6] === '\\' && text[at - 5] === 'u' && runEnd(hexadecimal, text, at - 4, 4) === at;
}

/** Whether a word goes on at a place. The `n` of `\n` is none of it. */
export const isInsideWord = (text: string, at: number): boolean => isIn(alphanumeric, text, at - 1) && !isBehindEscape(text, at);

/**
 * Where a run really begins when the text is JSON, however often within JSON: the `n` of `\nann@…` belongs to the line break, and what is
 * put in place of the run must not leave half an escape. In a path of Windows that costs a letter.
 */
export function afterEscape(text: string, start: number): number {
  if (text[start - 1] !== '\\') return start;
  const code = text[start];
  if (code === 'u' && runEnd(hexadecimal, text, start + 1, 4) === start + 5) return start + 5;
  return code !== undefined && escaped.includes(code) ? start + 1 : start;
}

/** Whether a text could be made by chance: keys are, words are not. */

/** Looked at no further than this. */
const lookedMax = 96;

export interface Makeup {
  /** Different characters. */
  distinct: number;
  digits: number;
  lower: number;
  upper: number;
  others: number;
  /** Bits for each character, by how often they come. */
  entropy: number;
}

/** How often each ASCII character came, and all others together. All zero between two texts: a map for each cost ten times as much. */
const counts = new Uint8Array(129);
const beyond = 128;

/** What the beginning of a text is made of. */
export function makeupOf(text: string): Makeup {
  const length = Math.min(text.length, lookedMax);
  const makeup = { distinct: 0, digits: 0, lower: 0, upper: 0, others: 0, entropy: 0 };
  for (let at = 0; at < length; at++) {
    const code = Math.min(text.charCodeAt(at), beyond);
    if (counts[code] === 0) makeup.distinct++;
    counts[code] = (counts[code] as number) + 1;
    if (code >= 48 && code <= 57) makeup.digits++;
    else if (code >= 97 && code <= 122) makeup.lower++;
    else if (code >= 65 && code <= 90) makeup.upper++;
    else makeup.others++;
  }
  for (let at = 0; at < length; at++) {
    const code = Math.min(text.charCodeAt(at), beyond);
    const share = (counts[code] as number) / length;
    if (share === 0) continue;
    makeup.entropy -= share * Math.log2(share);
    counts[code] = 0;
  }
  return makeup;
}

/** Behind a prefix that says already that a key follows: no `xxxxxxxx`, no `your_token_here`. */
export function couldBeKey(text: string): boolean {
  const { distinct, digits, upper, lower } = makeupOf(text);
  return distinct >= 8 && (digits > 0 || (upper > 0 && lower > 0));
}

/** Where words could stand as well, as in `sk-learn-…`: it has digits all over. */
export function isRandom(text: string): boolean {
  const { digits, upper, lower, entropy, distinct } = makeupOf(text);
  return distinct >= 8 && digits >= 2 && upper + lower > 0 && entropy >= 3;
}
