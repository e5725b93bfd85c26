/** Numbers that identify a person: of payment cards, bank accounts, phones and social security. */
import { alphanumeric, type Detector, digit, isIn, isInsideWord, type Range, runEnd } from './search.ts';

/** Payment cards have the prefix and length of a known issuer and a valid check digit, without spaces or in the printed groups. */
const grouped = /\d{4}([ -])(?:\d{4}\1\d{4}\1\d{1,7}|\d{6}\1\d{4,5})/y;

/** Ranges of the first four digits, and the possible lengths. */
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
  // A repeated digit has a valid sum and belongs to nobody.
  return sum % 10 === 0 && !/^(\d)\1+$/.test(number);
}

export const paymentCards: Detector = {
  kind: 'card',
  words: '23456',
  detect(text, at) {
    // Digits after a decimal point belong to a number.
    if (text[at - 1] === '.' && isIn(digit, text, at - 2)) return null;
    const run = runEnd(digit, text, at, 20) - at;
    if (run >= 14) return run <= 19 ? cardAt(text, at, at + run) : null;
    if (run !== 4) return null;
    grouped.lastIndex = at;
    return grouped.test(text) ? cardAt(text, at, grouped.lastIndex) : null;
  },
};

function cardAt(text: string, start: number, end: number): Range | null {
  if (isIn(alphanumeric, text, end) || (text[end] === '.' && isIn(digit, text, end + 1))) return null;
  return isCardNumber(text.slice(start, end).replace(/[ -]/g, '')) ? { start, end } : null;
}

/** International bank account numbers have the length of a known country and are valid modulo 97, without spaces or in groups of four. */
const ibanLengths: Readonly<Record<string, number>> = {
  ...{ AD: 24, AE: 23, AL: 28, AT: 20, AZ: 28, BA: 20, BE: 16, BG: 22, BH: 22, BR: 29, BY: 28, CH: 21, CR: 22, CY: 28, CZ: 24 },
  ...{ DE: 22, DK: 18, DO: 28, EE: 20, EG: 29, ES: 24, FI: 18, FO: 18, FR: 27, GB: 22, GE: 22, GI: 23, GL: 18, GR: 27, GT: 28 },
  ...{ HR: 21, HU: 28, IE: 22, IL: 23, IQ: 23, IS: 26, IT: 27, JO: 30, KW: 30, KZ: 20, LB: 28, LC: 32, LI: 21, LT: 20, LU: 20 },
  ...{ LV: 21, LY: 25, MC: 27, MD: 24, ME: 22, MK: 19, MR: 27, MT: 31, MU: 30, NL: 18, NO: 15, PK: 24, PL: 28, PS: 29, PT: 25 },
  ...{ QA: 29, RO: 24, RS: 22, SA: 24, SC: 31, SD: 18, SE: 24, SI: 19, SK: 24, SM: 27, ST: 25, SV: 28, TL: 23, TN: 24, TR: 26 },
  ...{ UA: 29, VA: 22, VG: 24, XK: 20 },
};
const ibanStarts = 'ABCDEFGHIJKLMNPQRSTUVX';

export const ibans: Detector = {
  kind: 'iban',
  words: ibanStarts + ibanStarts.toLowerCase(),
  detect(text, at) {
    if (!isIn(digit, text, at + 2) || !isIn(digit, text, at + 3)) return null;
    const length = ibanLengths[text.slice(at, at + 2).toUpperCase()];
    if (length === undefined) return null;
    let [end, number] = [at, ''];
    while (number.length < length) {
      if ((text[end] === ' ' || text[end] === '-') && number.length % 4 === 0 && number !== '') end++;
      if (!isIn(alphanumeric, text, end)) return null;
      number += text[end++];
    }
    return !isIn(alphanumeric, text, end) && remainder(number.toUpperCase()) === 1 ? { start: at, end } : null;
  },
};

/** The number modulo 97, with its first four characters moved to the end and letters as 10 to 35. */
function remainder(number: string): number {
  let rest = 0;
  for (const character of number.slice(4) + number.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest;
}

/** Phone numbers that begin with a plus and a country code. Others resemble too many other numbers. */

/** Without spaces; grouped as in North America; in groups of which only the first may have one digit. */
const phoneShapes = [
  /[1-9]\d{8,14}(?!\d)/y,
  /1[ .\-/]{0,2}\(?\d{3}\)?[ .\-/]{0,2}\d{3}[ .\-/]?\d{4}(?!\d)/y,
  /[2-9]\d{0,2}(?:[ .()\-/]{1,3}\d{1,3})?(?:[ .()\-/]{1,2}\d{2,8}){1,5}/y,
];
/** Country codes of one and two digits, and of three. */
const shortCode = /^(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;
const longCode = /^(?:2[1-689]\d|3[578]\d|42\d|5[09]\d|6[7-9]\d|80[08]|85\d|87\d|88\d|96\d|97\d|99[2-8])/;
const [digitsMin, digitsMax] = [9, 15];

export const phones: Detector = {
  kind: 'phone',
  signs: '+%',
  detect(text, at) {
    if (text[at] === '%') return text.startsWith('%2B', at) || text.startsWith('%2b', at) ? phoneAt(text, at, at + 3) : null;
    // An addition, or base64.
    return isInsideWord(text, at) || text[at - 1] === '+' || text[at - 1] === '/' ? null : phoneAt(text, at, at + 1);
  },
};

function phoneAt(text: string, start: number, from: number): Range | null {
  const end = phoneEnd(text, from);
  if (end === null) return null;
  if (isIn(alphanumeric, text, end) || (text[end] === '.' && isIn(digit, text, end + 1))) return null;
  const digits = text.slice(from, end).replace(/\D/g, '');
  const isPhone = digits.length >= digitsMin && digits.length <= digitsMax && (shortCode.test(digits) || longCode.test(digits));
  return isPhone ? { start, end } : null;
}

function phoneEnd(text: string, from: number): number | null {
  for (const shape of phoneShapes) {
    shape.lastIndex = from;
    if (shape.test(text)) return shape.lastIndex;
  }
  return null;
}

/** Social security numbers of the United States, with dashes: nine digits without dashes may be any number. */
const ssnShape = /(?!000|666)[0-8]\d{2}-(?!00)\d{2}-(?!0000)\d{4}/y;
const ssnLength = 11;
/** Numbers from advertisements. */
const publishedSsns = new Set(['078-05-1120', '219-09-9999']);

export const socialSecurityNumbers: Detector = {
  kind: 'ssn',
  words: '012345678',
  detect(text, at) {
    if (text[at + 3] !== '-' || text[at - 1] === '-' || text[at - 1] === '.') return null;
    ssnShape.lastIndex = at;
    if (!ssnShape.test(text)) return null;
    const [end, next] = [at + ssnLength, text[at + ssnLength]];
    const continues = isIn(digit, text, end) || ((next === '-' || next === '.') && isIn(digit, text, end + 1));
    return continues || publishedSsns.has(text.slice(at, end)) ? null : { start: at, end };
  },
};
