/** The words of a text that is in a blob, so that searches read only blobs that may have what they seek (read/narrowing.ts). */
import { mayBeRewritten } from './rewritten-words.ts';

/** Beyond half of the text or this size, as of encoded media, words cost more than they save. */
const wordsLengthMax = 256 * 1024;

export interface TextWords {
  /** One on a line, in lower case. */
  words: string;
  /** The text may have what its words do not show. */
  may_have_others: 0 | 1;
}

const unknown: TextWords = { words: '', may_have_others: 1 };

export function wordsOf(text: string): TextWords {
  if (mayBeRewritten(text)) return unknown;
  const words = new Set<string>();
  let length = 0;
  for (const [word] of text.matchAll(/\w{4,}/g)) {
    const folded = word.toLowerCase();
    if (words.has(folded)) continue;
    words.add(folded);
    length += word.length + 1;
    if (length > Math.min(text.length / 2, wordsLengthMax)) return unknown;
  }
  return { words: [...words].join('\n'), may_have_others: 0 };
}
