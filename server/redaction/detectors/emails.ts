/** E-mail addresses, also with `%40` or `\u0040` for their sign. */
import { afterEscape, digits, hexadecimal, isIn, letters, setOf } from './characters.ts';
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
