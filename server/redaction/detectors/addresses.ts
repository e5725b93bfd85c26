/** Addresses: of e-mail, also with `%40` or `\u0040` for their sign, and of machines. */
import { isIPv6 } from 'node:net';
import {
  afterEscape,
  alphanumeric,
  digit,
  digits,
  hexadecimal,
  isIn,
  isInsideWord,
  letters,
  runEnd,
  runStart,
  setOf,
} from './characters.ts';
import type { Detector, Stretch } from './search.ts';

const local = setOf(`${digits}${letters}._+-'`);
const label = setOf(`${digits}${letters}-`);
const localMax = 64;
const domainMax = 253;
/** Signs of a name as addresses carry them, and the bytes of letters beyond ASCII. */
const encodedLocal = /^%(?:2[bde]|5f|[89a-d][0-9a-f])$/i;
/** Letters of other European alphabets. */
const isForeign = (code: number): boolean => code >= 0xc0 && code < 0x530;
/** `logo@2x.png` is a picture. */
const files = new Set([
  'png',
  'jpg',
  'jpeg',
  'gif',
  'webp',
  'svg',
  'avif',
  'js',
  'mjs',
  'cjs',
  'ts',
  'tsx',
  'jsx',
  'json',
  'css',
  'html',
  'yaml',
  'yml',
  'toml',
]);
/** Users of machines, not people. */
const machines = new Set(['git']);

export const emails: Detector = {
  kind: 'email',
  signs: '@%\\',
  look(text, at) {
    const sign = text[at];
    if (sign === '@') return around(text, at, 1, false);
    if (sign === '%') return text.startsWith('%40', at) ? around(text, at, 3, true) : null;
    return text.startsWith('\\u0040', at) ? around(text, at, 6, false) : null;
  },
};

function around(text: string, at: number, length: number, isEncoded: boolean): Stretch | null {
  const end = domainEnd(text, at + length);
  if (end === null) return null;
  const start = localStart(text, at, isEncoded);
  if (start >= at || machines.has(text.slice(start, at)) || text[at - 1] === '.') return null;
  return { start, end };
}

function localStart(text: string, at: number, isEncoded: boolean): number {
  const first = Math.max(0, at - localMax);
  let start = at;
  while (start > first) {
    const code = text.charCodeAt(start - 1);
    if (local[code] !== 1 && !isForeign(code)) break;
    // `%20ann%40…`: the 20 is a space, but `%2B` is a plus of the name.
    if (isEncoded && start >= 3 && text[start - 3] === '%' && isIn(hexadecimal, text, start - 1) && isIn(hexadecimal, text, start - 2)) {
      if (!encodedLocal.test(text.slice(start - 3, start))) break;
      start -= 3;
    } else start--;
  }
  start = afterEscape(text, start);
  while (start < at && ".-'".includes(text[start] ?? '')) start++;
  return start;
}

/** Where the domain ends; null when there is none with a name of its own at its top. */
function domainEnd(text: string, from: number): number | null {
  const last = Math.min(text.length, from + domainMax);
  let end = from;
  let labels = 0;
  let top = '';
  let stop = from;
  while (end < last) {
    const next = domainLabelEnd(text, end, last);
    if (next === end) break;
    top = text.slice(end, next);
    labels++;
    stop = next;
    if (text[next] !== '.') break;
    end = next + 1;
  }
  if (labels < 2) return null;
  while (text[stop - 1] === '-') stop--;
  return /^[a-z\u00c0-\u052f]{2,24}-*$|^xn--/i.test(top) && !files.has(top.toLowerCase()) ? stop : null;
}

function domainLabelEnd(text: string, from: number, last: number): number {
  let end = from;
  while (end < last && (label[text.charCodeAt(end)] === 1 || isForeign(text.charCodeAt(end)))) end++;
  return text[from] === '-' ? from : end;
}

/** Addresses of machines, of version 4 and 6. Those that mean this machine or none are nobody's. */
const ipv4Part = '(?:25[0-5]|2[0-4]\\d|1?\\d{1,2})';
const ipv4Shape = new RegExp(`${ipv4Part}\\.${ipv4Part}\\.${ipv4Part}\\.${ipv4Part}`, 'y');
const nobodysAddress = /^(?:127\.|0\.0\.0\.0$|255\.255\.255\.255$)/;

export const ipv4Addresses: Detector = {
  kind: 'ip',
  words: digits,
  look(text, at) {
    // A fifth part: a version of something.
    if (text[at - 1] === '.') return null;
    ipv4Shape.lastIndex = at;
    if (!ipv4Shape.test(text)) return null;
    const end = ipv4Shape.lastIndex;
    if (isIn(alphanumeric, text, end) || (text[end] === '.' && isIn(digit, text, end + 1))) return null;
    return nobodysAddress.test(text.slice(at, end)) ? null : { start: at, end };
  },
};

const ipv6Characters = setOf(`${digits}abcdefABCDEF:`);
const ipv6LengthMax = 39;

export const ipv6Addresses: Detector = {
  kind: 'ip',
  signs: ':',
  look(text, at) {
    const start = runStart(ipv6Characters, text, at, ipv6LengthMax + 1);
    // Each run is looked at once, at its first colon.
    if (text.slice(start, at).includes(':') || isInsideWord(text, start)) return null;
    const end = runEnd(ipv6Characters, text, at, ipv6LengthMax + 1);
    if (end - start > ipv6LengthMax || runEnd(hexadecimal, text, at + 1) >= end) return null;
    const found = text.slice(start, end);
    if (isIn(alphanumeric, text, end) || !isIPv6(found)) return null;
    return found.split(':').filter((each) => each !== '').length < 2 ? null : { start, end };
  },
};
