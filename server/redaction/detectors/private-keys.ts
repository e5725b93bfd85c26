/** Private keys as PEM has them, also with `\n` for their line breaks, cut ones too. */
import { digits, letters, runEnd, setOf } from './characters.ts';
import type { Detector } from './detector.ts';

const begin = /-----BEGIN (?:[A-Z0-9]{1,16} ){0,4}PRIVATE KEY(?: BLOCK)?-----/y;
const keyMax = 16_384;
const footMax = 64;
/** A shorter one is an example in a manual. */
const cutMin = 40;
/** Lines of a key may be the texts of a list, but what ends within another object is another text. */
const structure = /[[\]{}]/;
const body = setOf(`${digits}${letters}+/= \n\r\t\\:,.-`);

export const privateKeys: Detector = {
  kind: 'private_key',
  signs: '-',
  look(text, at) {
    if (text.charCodeAt(at + 5) !== 0x42 || !text.startsWith('-----BEGIN ', at)) return null;
    begin.lastIndex = at;
    if (!begin.test(text)) return null;
    const head = begin.lastIndex;
    const inside = text.slice(head, head + keyMax);
    const foot = inside.indexOf('-----END');
    const next = inside.indexOf('-----BEGIN');
    if (foot >= cutMin && (next === -1 || next > foot) && !structure.test(inside.slice(0, foot))) {
      const last = inside.slice(foot + 8, foot + 8 + footMax).indexOf('-----');
      return { start: at, end: last === -1 ? head + foot : head + foot + 8 + last + 5 };
    }
    // Whoever cut the text cut the key.
    let end = runEnd(body, text, head, next === -1 ? keyMax * 2 : next);
    // Of an escape that goes on behind it.
    while (text[end - 1] === '\\') end--;
    return end - head >= cutMin ? { start: at, end } : null;
  },
};
