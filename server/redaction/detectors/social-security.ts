/** Social security numbers of the United States, with their dashes: nine digits alone may be anything. */
import { digit, isIn } from './characters.ts';
import type { Detector } from './detector.ts';

const shape = /(?!000|666)[0-8]\d{2}-(?!00)\d{2}-(?!0000)\d{4}/y;
const length = 11;
/** Those that were printed on wallets and in adverts. */
const famous = new Set(['078-05-1120', '219-09-9999']);

export const socialSecurityNumbers: Detector = {
  kind: 'ssn',
  words: '012345678',
  look(text, at) {
    if (text[at + 3] !== '-' || text[at - 1] === '-' || text[at - 1] === '.') return null;
    shape.lastIndex = at;
    if (!shape.test(text)) return null;
    const [end, next] = [at + length, text[at + length]];
    const goesOn = isIn(digit, text, end) || ((next === '-' || next === '.') && isIn(digit, text, end + 1));
    return goesOn || famous.has(text.slice(at, end)) ? null : { start: at, end };
  },
};
