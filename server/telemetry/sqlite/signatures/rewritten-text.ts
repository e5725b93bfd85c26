/**
 * What the normaliser makes of parts of a text that differ from what was sent: unescaped characters, numbers as JavaScript writes them, base64 of
 * lists of bytes, counts of vectors, streamed parts of a text joined into one.
 */
import { wordLengthMax } from './byte-kinds.ts';

/** Reasons why a text may be rewritten, as bits. */
export const traits = {
  /** `\uXXXX` for a character beyond ASCII. */
  escapedLetters: 1,
  /** `\uXXXX` for an ASCII letter or digit, a backslash or NUL. */
  escapedAscii: 2,
  /** Control characters that JSON writes as `\u00XX`, and NUL, which is removed. */
  controls: 4,
  /** Numbers with many digits or an exponent. */
  numbers: 8,
  /** Lists of numbers. */
  lists: 16,
  /** Several fields named `text`. */
  textParts: 32,
} as const;

const escapes = traits.escapedLetters | traits.escapedAscii;

/** The texts to scan besides the text itself. @param found bits of `traits` */
export function rewrittenTexts(text: string, found: number): string[] {
  const texts: string[] = [];
  if (found & escapes) texts.push(...unescaped(text));
  if (found & (traits.controls | escapes))
    texts.push(...[text, ...texts].filter((each) => control.test(each)).map((each) => JSON.stringify(each)));
  if (found & (traits.controls | traits.escapedAscii)) texts.push(...[text, ...texts].map(withoutNul));
  for (const each of [text, ...texts]) {
    if (found & traits.numbers) texts.push(...numbersIn(each));
    if (found & traits.lists) texts.push(...listsIn(each));
    if (found & traits.textParts) texts.push(...joinedParts(each));
  }
  return texts.filter((each) => each !== '' && each !== text);
}

/** Texts inside texts have escapes behind more backslashes, and a backslash can be escaped itself. */
const nestingMax = 8;
const escaped = /(\\+)u([0-9a-fA-F]{4})/g;

/** An escape with fewer backslashes is undone while one with more still stands. */
function unescaped(text: string): string[] {
  const texts: string[] = [];
  let before = text;
  for (let depth = 0; depth < nestingMax; depth++) {
    const counts = new Set(Array.from(before.matchAll(escaped), ([, backslashes = '']) => backslashes.length));
    if (counts.size === 0) break;
    for (const count of [...counts].sort((a, b) => a - b)) {
      const undo = (sent: string, backslashes: string, code: string) =>
        backslashes.length > count ? sent : String.fromCharCode(Number.parseInt(code, 16));
      texts.push(before.replace(escaped, undo));
    }
    before = texts.at(-1) as string;
  }
  return texts;
}

/** Those that JSON writes as `\u00XX`. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are sought
const control = /[\0-\x07\x0b\x0e-\x1f]/;
const withoutNul = (text: string): string => text.replaceAll('\0', '');

/** A number with more digits is rounded when it is parsed. */
export const exactDigitsMax = 15;

/** A quick test: 16 digits with or without a point, an exponent, six zeros after a point. */
const anyRewritten = /[\d.]{16}|\d[eE][+-]?\d|\.000000/;

/** Numbers with other digits than they were sent with; most numbers of a text lose some zeros at most. */
function numbersIn(text: string): string[] {
  if (!anyRewritten.test(text)) return [];
  const written = new Set<string>();
  for (let at = 0; at < text.length; at++) {
    if (!isDigit(text, at)) continue;
    const start = at;
    at = afterDigits(text, at);
    const point = text.charCodeAt(at) === 0x2e && isDigit(text, at + 1) ? at : -1;
    if (point !== -1) at = afterDigits(text, at + 1);
    const exponent = exponentAt(text, at);
    const isTiny = point !== -1 && text.startsWith('000000', point + 1);
    const digits = at - start - (point === -1 ? 0 : 1);
    at += exponent;
    if (exponent === 0 && digits <= exactDigitsMax && !isTiny) continue;
    const parsed = Number(text.slice(start, at));
    if (Number.isFinite(parsed)) written.add(String(parsed));
  }
  return [[...written].join(' ')];
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0x30 && code <= 0x39;
}

function afterDigits(text: string, from: number): number {
  let at = from;
  while (isDigit(text, at)) at++;
  return at;
}

/** Length of the exponent of a number; 0 if there is none. */
function exponentAt(text: string, at: number): number {
  if ((text.charCodeAt(at) | 0x20) !== 0x65) return 0;
  const sign = text[at + 1];
  const first = at + (sign === '+' || sign === '-' ? 2 : 1);
  return isDigit(text, first) ? afterDigits(text, first) - at : 0;
}

const wholeDouble = /\{\s*\\*"double\\*"\s*:\s*\\*"([^"\\]*)\\*"\s*\}/g;
const quoted = /\\*"[^"\\[\]{}]*\\*"/g;
const list = /\[([^[\]{}]*)\]/g;
const indexed = /\{\s*(\\*"\d+\\*"\s*:\s*\d+\s*,?\s*)+\}/g;
const entry = /"(\d+)\\*"\s*:\s*(\d+)/g;
const flattened = /([\w.]*vector)\.(\d+)/g;
/** A shorter count has no word. */
const countMin = 100;

function listsIn(text: string): string[] {
  const found: string[] = [];
  const spaced = text.replace(/\\+[nrt]/g, ' ').replace(wholeDouble, '$1');
  for (const [, items = ''] of spaced.replace(quoted, '0').matchAll(list)) {
    const values = items.split(',').map((item) => (item.trim() === '' ? Number.NaN : Number(item)));
    if (values.length >= countMin) found.push(String(values.length));
    if (values.every(isByte)) found.push(base64(values));
  }
  for (const [object] of spaced.matchAll(indexed)) {
    const entries = [...object.matchAll(entry)].map(([, key, value]) => [Number(key), Number(value)] as const);
    const values = entries.sort(([a], [b]) => a - b).map(([, value]) => value);
    if (values.every(isByte)) found.push(base64(values));
  }
  const vectors = Map.groupBy(text.matchAll(flattened), ([, name]) => name);
  for (const elements of vectors.values()) found.push(String(new Set(elements.map(([, , index]) => index)).size));
  return [...new Set(found)];
}

const openLists = /\[([^[\]{}]*)$|^([^[\]{}]*)(?:\]|$)/g;

/** What a list becomes of which the text is only a piece: a count, or base64 if all its values in this piece are bytes. */
export function openListsIn(text: string): { hasCount: boolean; hasBytes: boolean } {
  const found = { hasCount: false, hasBytes: false };
  for (const [, opened, continued] of text
    .replace(/\\+[nrt]/g, ' ')
    .replace(wholeDouble, '$1')
    .matchAll(openLists)) {
    const values = (opened ?? continued ?? '').split(',').filter((item) => item.trim() !== '');
    if (values.length === 0 || !values.some((value) => Number.isFinite(Number(value)))) continue;
    found.hasCount = true;
    found.hasBytes ||= values.every((value) => isByte(Number(value)));
  }
  return found;
}

const isByte = (value: number): boolean => Number.isInteger(value) && value >= 0 && value <= 255;
const base64 = (values: number[]): string => Buffer.from(values).toString('base64');

const textKey = /\btext(\\*)"\s*:\s*\1"/g;
const wordCharacter = /[\w\u0080-\uffff]/;

/** The words across the borders of text parts that may be joined: of all parts, and of those that are no thoughts. */
function joinedParts(text: string): string[] {
  const parts: { value: string; isThought: boolean }[] = [];
  for (const match of text.matchAll(textKey)) {
    const from = match.index + match[0].length;
    const to = endOfString(text, from, match[1] as string);
    const object = text.slice(Math.max(0, text.lastIndexOf('{', match.index)), text.indexOf('}', to) + 1 || undefined);
    parts.push({ value: text.slice(from, to), isThought: object.includes('thought') });
  }
  return [joined(parts), joined(parts.filter(({ isThought }) => !isThought))];
}

function joined(parts: readonly { value: string }[]): string {
  const words: string[] = [];
  let open = '';
  for (const { value } of parts) {
    const start = value.slice(0, wordLength(value, 0, 1));
    if (open !== '' && start !== '') words.push(open + start);
    const last = value.slice(value.length - wordLength(value, value.length - 1, -1));
    open = last.length === value.length ? (open + value).slice(-wordLengthMax) : last;
  }
  return words.join(' ');
}

/** The number of word characters from a place in a direction, up to the length of a word. */
function wordLength(text: string, from: number, step: 1 | -1): number {
  let length = 0;
  while (length < wordLengthMax && wordCharacter.test(text[from + length * step] ?? '')) length++;
  return length;
}

/** The closing quote has as many backslashes as the opening one. */
function endOfString(text: string, from: number, slashes: string): number {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 1)) {
    let before = at;
    while (before > from && text[before - 1] === '\\') before--;
    if ((at - before) % (2 * (slashes.length + 1)) === slashes.length) return at - slashes.length;
  }
  return text.length;
}
