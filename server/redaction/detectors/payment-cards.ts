/** Numbers of payment cards: of a known issuer, of its length, with a right check digit; alone or in the groups that are printed. */
import { alphanumeric, digit, isIn, runEnd } from './characters.ts';
import type { Detector, Stretch } from './detector.ts';

const grouped = /\d{4}([ -])(?:\d{4}\1\d{4}\1\d{1,7}|\d{6}\1\d{4,5})/y;

/** First digits, from and to, and the lengths they come in. */
const issuers: readonly [from: number, to: number, lengths: readonly number[]][] = [
  [4000, 4999, [16, 19]],
  [5100, 5599, [16]],
  [2221, 2720, [16]],
  [3400, 3499, [15]],
  [3700, 3799, [15]],
  [6011, 6011, [16, 19]],
  [6440, 6599, [16, 19]],
  [3000, 3059, [14]],
  [3600, 3699, [14]],
  [3800, 3999, [14]],
  [3528, 3589, [16]],
  [6200, 6299, [16, 17, 18, 19]],
  [6759, 6763, [16]],
];

/** @param number digits only */
export function isCardNumber(number: string): boolean {
  const first = Number(number.slice(0, 4));
  return issuers.some(([from, to, lengths]) => first >= from && first <= to && lengths.includes(number.length)) && hasCheckDigit(number);
}

function hasCheckDigit(number: string): boolean {
  let sum = 0;
  for (let place = 0; place < number.length; place++) {
    const value = number.charCodeAt(number.length - 1 - place) - 48;
    sum += place % 2 === 0 ? value : value > 4 ? value * 2 - 9 : value * 2;
  }
  // A row of one digit is right by the sum, and nobody's.
  return sum % 10 === 0 && !/^(\d)\1+$/.test(number);
}

export const paymentCards: Detector = {
  kind: 'card',
  words: '23456',
  look(text, at) {
    // The digits behind a point are a part of a number.
    if (text[at - 1] === '.' && isIn(digit, text, at - 2)) return null;
    const run = runEnd(digit, text, at, 20) - at;
    if (run >= 14) return run <= 19 ? whole(text, at, at + run) : null;
    if (run !== 4) return null;
    grouped.lastIndex = at;
    return grouped.test(text) ? whole(text, at, grouped.lastIndex) : null;
  },
};

function whole(text: string, start: number, end: number): Stretch | null {
  if (isIn(alphanumeric, text, end) || (text[end] === '.' && isIn(digit, text, end + 1))) return null;
  return isCardNumber(text.slice(start, end).replace(/[ -]/g, '')) ? { start, end } : null;
}
