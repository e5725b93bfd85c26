/** E-mail addresses, also with `%40` or `\u0040` for the `@`, and IP addresses. */
import { isIPv6 } from 'node:net';
import {
  alphanumeric,
  type Detector,
  digit,
  digits,
  hexadecimal,
  isIn,
  isInsideWord,
  letters,
  type Range,
  runEnd,
  runStart,
  setOf,
  skipEscape,
} from './search.ts';

const local = setOf(`${digits}${letters}._+-'`);
const label = setOf(`${digits}${letters}-`);
const localMax = 64;
const domainMax = 253;
/** Percent-encoded characters of a local part: `+ - = _` and the bytes of letters beyond ASCII. */
const encodedLocal = /^%(?:2[bde]|5f|[89a-d][0-9a-f])$/i;
/** Letters of other European alphabets. */
const isForeign = (code: number): boolean => code >= 0xc0 && code < 0x530;
/** `logo@2x.png` is an image file. */
const fileExtensions = new Set([
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
/** System users. */
const systemUsers = new Set(['git']);

export const emails: Detector = {
  kind: 'email',
  signs: '@%\\',
  detect(text, at) {
    const sign = text[at];
    if (sign === '@') return addressAround(text, at, 1, false);
    if (sign === '%') return text.startsWith('%40', at) ? addressAround(text, at, 3, true) : null;
    return text.startsWith('\\u0040', at) ? addressAround(text, at, 6, false) : null;
  },
};

/** @param length of the sign */
function addressAround(text: string, at: number, length: number, isEncoded: boolean): Range | null {
  const end = domainEnd(text, at + length);
  if (end === null) return null;
  const start = localStart(text, at, isEncoded);
  if (start >= at || systemUsers.has(text.slice(start, at)) || text[at - 1] === '.') return null;
  return { start, end };
}

function localStart(text: string, at: number, isEncoded: boolean): number {
  const first = Math.max(0, at - localMax);
  let start = at;
  while (start > first) {
    const code = text.charCodeAt(start - 1);
    if (local[code] !== 1 && !isForeign(code)) break;
    // `%20ann%40…` begins after an encoded space, but `%2B` is a plus in the local part.
    if (isEncoded && start >= 3 && text[start - 3] === '%' && isIn(hexadecimal, text, start - 1) && isIn(hexadecimal, text, start - 2)) {
      if (!encodedLocal.test(text.slice(start - 3, start))) break;
      start -= 3;
    } else start--;
  }
  start = skipEscape(text, start);
  while (start < at && ".-'".includes(text[start] ?? '')) start++;
  return start;
}

/** End of the domain; null without a valid top-level domain. */
function domainEnd(text: string, from: number): number | null {
  const last = Math.min(text.length, from + domainMax);
  let end = from;
  let labelCount = 0;
  let topLevel = '';
  let domainStop = from;
  while (end < last) {
    const next = domainLabelEnd(text, end, last);
    if (next === end) break;
    topLevel = text.slice(end, next);
    labelCount++;
    domainStop = next;
    if (text[next] !== '.') break;
    end = next + 1;
  }
  if (labelCount < 2) return null;
  while (text[domainStop - 1] === '-') domainStop--;
  return /^[a-z\u00c0-\u052f]{2,24}-*$|^xn--/i.test(topLevel) && !fileExtensions.has(topLevel.toLowerCase()) ? domainStop : null;
}

function domainLabelEnd(text: string, from: number, last: number): number {
  let end = from;
  while (end < last && (label[text.charCodeAt(end)] === 1 || isForeign(text.charCodeAt(end)))) end++;
  return text[from] === '-' ? from : end;
}

/** IP addresses of version 4 and 6. Loopback, unspecified and broadcast addresses identify nobody. */
const ipv4Part = '(?:25[0-5]|2[0-4]\\d|1?\\d{1,2})';
const ipv4Shape = new RegExp(`${ipv4Part}\\.${ipv4Part}\\.${ipv4Part}\\.${ipv4Part}`, 'y');
const specialAddress = /^(?:127\.|0\.0\.0\.0$|255\.255\.255\.255$)/;

export const ipv4Addresses: Detector = {
  kind: 'ip',
  words: digits,
  detect(text, at) {
    // Five parts are a version number.
    if (text[at - 1] === '.') return null;
    ipv4Shape.lastIndex = at;
    if (!ipv4Shape.test(text)) return null;
    const end = ipv4Shape.lastIndex;
    if (isIn(alphanumeric, text, end) || (text[end] === '.' && isIn(digit, text, end + 1))) return null;
    return specialAddress.test(text.slice(at, end)) ? null : { start: at, end };
  },
};

const ipv6Characters = setOf(`${digits}abcdefABCDEF:`);
const ipv6LengthMax = 39;

export const ipv6Addresses: Detector = {
  kind: 'ip',
  signs: ':',
  detect(text, at) {
    const start = runStart(ipv6Characters, text, at, ipv6LengthMax + 1);
    // Each run is examined once, at its first colon.
    if (text.slice(start, at).includes(':') || isInsideWord(text, start)) return null;
    const end = runEnd(ipv6Characters, text, at, ipv6LengthMax + 1);
    if (end - start > ipv6LengthMax || runEnd(hexadecimal, text, at + 1) >= end) return null;
    const found = text.slice(start, end);
    if (isIn(alphanumeric, text, end) || !isIPv6(found)) return null;
    return found.split(':').filter((group) => group !== '').length < 2 ? null : { start, end };
  },
};
