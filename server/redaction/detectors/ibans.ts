/** International bank account numbers: of a known country, of its length, right modulo 97; alone or in groups of four. */
import { alphanumeric, digit, isIn } from './characters.ts';
import type { Detector } from './detector.ts';

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
