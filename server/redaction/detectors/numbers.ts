/** Numbers that lead to a person: of cards, bank accounts, phones and social security. */
import { alphanumeric, digit, isIn, isInsideWord, runEnd } from './characters.ts';
import type { Detector, Stretch } from './search.ts';

/** Of payment cards: of a known issuer, of its length, with a right check digit; alone or in the groups that are printed. */
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

/** International bank account numbers: of a known country, of its length, right modulo 97; alone or in groups of four. */

const lengths: Readonly<Record<string, number>> = {
  ...{ AD: 24, AE: 23, AL: 28, AT: 20, AZ: 28, BA: 20, BE: 16, BG: 22, BH: 22, BR: 29, BY: 28, CH: 21, CR: 22, CY: 28, CZ: 24 },
  ...{ DE: 22, DK: 18, DO: 28, EE: 20, EG: 29, ES: 24, FI: 18, FO: 18, FR: 27, GB: 22, GE: 22, GI: 23, GL: 18, GR: 27, GT: 28 },
  ...{ HR: 21, HU: 28, IE: 22, IL: 23, IQ: 23, IS: 26, IT: 27, JO: 30, KW: 30, KZ: 20, LB: 28, LC: 32, LI: 21, LT: 20, LU: 20 },
  ...{ LV: 21, LY: 25, MC: 27, MD: 24, ME: 22, MK: 19, MR: 27, MT: 31, MU: 30, NL: 18, NO: 15, PK: 24, PL: 28, PS: 29, PT: 25 },
  ...{ QA: 29, RO: 24, RS: 22, SA: 24, SC: 31, SD: 18, SE: 24, SI: 19, SK: 24, SM: 27, ST: 25, SV: 28, TL: 23, TN: 24, TR: 26 },
  ...{ UA: 29, VA: 22, VG: 24, XK: 20 },
};
const beginnings = 'ABCDEFGHIJKLMNPQRSTUVX';

export const ibans: Detector = {
  kind: 'iban',
  words: beginnings + beginnings.toLowerCase(),
  look(text, at) {
    if (!isIn(digit, text, at + 2) || !isIn(digit, text, at + 3)) return null;
    const length = lengths[text.slice(at, at + 2).toUpperCase()];
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

/** Modulo 97 of the number with its head put behind, letters as 10 to 35. */
function remainder(number: string): number {
  let rest = 0;
  for (const each of number.slice(4) + number.slice(0, 4)) {
    const value = Number.parseInt(each, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest;
}

/** Phone numbers that begin with a plus and the code of a country. Others look like too much else. */

/** In one piece; as North America groups it; in groups of which only the first may be one digit. */
const shapes = [
  /[1-9]\d{8,14}(?!\d)/y,
  /1[ .\-/]{0,2}\(?\d{3}\)?[ .\-/]{0,2}\d{3}[ .\-/]?\d{4}(?!\d)/y,
  /[2-9]\d{0,2}(?:[ .()\-/]{1,3}\d{1,3})?(?:[ .()\-/]{1,2}\d{2,8}){1,5}/y,
];
/** Codes of one and two digits; all others have three. */
const short = /^(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;
const long = /^(?:2[1-689]\d|3[578]\d|42\d|5[09]\d|6[7-9]\d|80[08]|85\d|87\d|88\d|96\d|97\d|99[2-8])/;
const [digitsMin, digitsMax] = [9, 15];

export const phones: Detector = {
  kind: 'phone',
  signs: '+%',
  look(text, at) {
    if (text[at] === '%') return text.startsWith('%2B', at) || text.startsWith('%2b', at) ? number(text, at, at + 3) : null;
    // A sum, or base64.
    return isInsideWord(text, at) || text[at - 1] === '+' || text[at - 1] === '/' ? null : number(text, at, at + 1);
  },
};

function number(text: string, start: number, from: number): Stretch | null {
  const end = shapedEnd(text, from);
  if (end === null) return null;
  if (isIn(alphanumeric, text, end) || (text[end] === '.' && isIn(digit, text, end + 1))) return null;
  const digits = text.slice(from, end).replace(/\D/g, '');
  const isOne = digits.length >= digitsMin && digits.length <= digitsMax && (short.test(digits) || long.test(digits));
  return isOne ? { start, end } : null;
}

function shapedEnd(text: string, from: number): number | null {
  for (const shape of shapes) {
    shape.lastIndex = from;
    if (shape.test(text)) return shape.lastIndex;
  }
  return null;
}

/** Social security numbers of the United States, with their dashes: nine digits alone may be anything. */
const ssnShape = /(?!000|666)[0-8]\d{2}-(?!00)\d{2}-(?!0000)\d{4}/y;
const ssnLength = 11;
/** Those that were printed on wallets and in adverts. */
const publishedSsns = new Set(['078-05-1120', '219-09-9999']);

export const socialSecurityNumbers: Detector = {
  kind: 'ssn',
  words: '012345678',
  look(text, at) {
    if (text[at + 3] !== '-' || text[at - 1] === '-' || text[at - 1] === '.') return null;
    ssnShape.lastIndex = at;
    if (!ssnShape.test(text)) return null;
    const [end, next] = [at + ssnLength, text[at + ssnLength]];
    const goesOn = isIn(digit, text, end) || ((next === '-' || next === '.') && isIn(digit, text, end + 1));
    return goesOn || publishedSsns.has(text.slice(at, end)) ? null : { start: at, end };
  },
};
