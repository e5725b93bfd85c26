/** What follows `Bearer` or `Basic`, wherever it stands. */
import { digits, letters, runEnd, setOf } from './characters.ts';
import type { Detector } from './detector.ts';
import { isRandom } from './randomness.ts';

const word = /(?:Bearer|Basic)(?:[ \t]{1,4}|%20|\+)/iy;
const credential = setOf(`${digits}${letters}-._~+/=`);
const least = 16;
const doubtedMax = 200;

export const authorizations: Detector = {
  kind: 'credential',
  words: 'bB',
  look(text, at) {
    const second = text.charCodeAt(at + 1) | 0x20;
    // `be`, `ba`.
    if (second !== 0x65 && second !== 0x61) return null;
    word.lastIndex = at;
    if (!word.test(text)) return null;
    const start = word.lastIndex;
    const doubted = runEnd(credential, text, start, doubtedMax);
    if (doubted - start < least || !isRandom(text.slice(start, doubted))) return null;
    const end = runEnd(credential, text, doubted);
    return { start, end: text[end - 1] === '.' ? end - 1 : end };
  },
};
