/** Passwords in addresses: `postgres://ann:…@host`. The name before it stays. */
import type { Detector, Stretch } from './detector.ts';
import { withoutTokens } from './token-shape.ts';

/** Behind `://`: a name, a colon, and all up to the last `@` before what ends the part. Slashes may be escaped, as some JSON has them. */
const opening = /:(?:\/\/|\\\/\\\/)[^\s:@/?#"'<>\\`]{0,256}:/y;
/** The same inside a value of another address. */
const encoded = /%3A%2F%2F[\w.~-]{0,256}%3A/iy;
const ends = /[\s/?#"'<>\\`]/;
const passwordMax = 512;
const stand = /^(?:\$\{|\{\{|<|\*+$|%[sd]$|\[)/;

export const urlPasswords: Detector = {
  kind: 'credential',
  signs: ':%',
  look(text, at) {
    if (text[at] === '%') return lookEncoded(text, at);
    const next = text.charCodeAt(at + 1);
    if (next !== 0x2f && next !== 0x5c) return null;
    opening.lastIndex = at;
    if (!opening.test(text)) return null;
    const start = opening.lastIndex;
    const part = text.slice(start, start + passwordMax);
    const stop = part.search(ends);
    const length = (stop === -1 ? part : part.slice(0, stop)).lastIndexOf('@');
    if (length <= 0 || stand.test(part) || withoutTokens(part.slice(0, length)) === '') return null;
    return { start, end: start + length };
  },
};

function lookEncoded(text: string, at: number): Stretch | null {
  encoded.lastIndex = at;
  if (!encoded.test(text)) return null;
  const start = encoded.lastIndex;
  const part = text.slice(start, start + passwordMax);
  const stop = part.search(ends);
  const length = (stop === -1 ? part : part.slice(0, stop)).indexOf('%40');
  return length > 0 && withoutTokens(part.slice(0, length)) !== '' ? { start, end: start + length } : null;
}
