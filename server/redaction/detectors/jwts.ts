/** JSON web tokens, signed (three parts) or encrypted (five). */
import { runEnd, urlSafe } from './characters.ts';
import type { Detector } from './detector.ts';

const partMin = 8;
const headMax = 1024;
const partsMax = 5;

export const jwts: Detector = {
  kind: 'jwt',
  words: 'e',
  look(text, at) {
    if (!text.startsWith('eyJ', at)) return null;
    const head = runEnd(urlSafe, text, at, headMax);
    if (head - at < partMin || text[head] !== '.') return null;
    const body = runEnd(urlSafe, text, head + 1);
    // An encrypted one may name no key: its second part is empty then.
    if (body - head - 1 < partMin && body !== head + 1) return null;
    if (text[body] !== '.') return body - head - 1 >= partMin && text.startsWith('eyJ', head + 1) ? { start: at, end: body } : null;
    let end = body;
    for (let part = 2; part < partsMax && text[end] === '.'; part++) {
      const next = runEnd(urlSafe, text, end + 1);
      if (next === end + 1) break;
      end = next;
    }
    return { start: at, end };
  },
};
