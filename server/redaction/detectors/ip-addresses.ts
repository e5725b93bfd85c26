/** Addresses of machines, of version 4 and 6. Those that mean this machine or none are nobody's. */
import { isIPv6 } from 'node:net';
import { alphanumeric, digit, digits, hexadecimal, isIn, isInsideWord, runEnd, runStart, setOf } from './characters.ts';
import type { Detector } from './detector.ts';

const part = '(?:25[0-5]|2[0-4]\\d|1?\\d{1,2})';
const shape = new RegExp(`${part}\\.${part}\\.${part}\\.${part}`, 'y');
const nobody = /^(?:127\.|0\.0\.0\.0$|255\.255\.255\.255$)/;

export const ipv4Addresses: Detector = {
  kind: 'ip',
  words: digits,
  look(text, at) {
    // A fifth part: a version of something.
    if (text[at - 1] === '.') return null;
    shape.lastIndex = at;
    if (!shape.test(text)) return null;
    const end = shape.lastIndex;
    if (isIn(alphanumeric, text, end) || (text[end] === '.' && isIn(digit, text, end + 1))) return null;
    return nobody.test(text.slice(at, end)) ? null : { start: at, end };
  },
};

const run = setOf(`${digits}abcdefABCDEF:`);
const longest = 39;

export const ipv6Addresses: Detector = {
  kind: 'ip',
  signs: ':',
  look(text, at) {
    const start = runStart(run, text, at, longest + 1);
    // Each run is looked at once, at its first colon.
    if (text.slice(start, at).includes(':') || isInsideWord(text, start)) return null;
    const end = runEnd(run, text, at, longest + 1);
    if (end - start > longest || runEnd(hexadecimal, text, at + 1) >= end) return null;
    const found = text.slice(start, end);
    if (isIn(alphanumeric, text, end) || !isIPv6(found)) return null;
    return found.split(':').filter((each) => each !== '').length < 2 ? null : { start, end };
  },
};
