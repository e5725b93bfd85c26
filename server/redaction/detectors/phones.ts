/** Phone numbers that begin with a plus and the code of a country. Others look like too much else. */
import { alphanumeric, digit, isIn, isInsideWord } from './characters.ts';
import type { Detector, Stretch } from './detector.ts';

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
