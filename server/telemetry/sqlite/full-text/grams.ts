/** Trigrams of the words of a segment: most segments are skipped because one is missing. */
import type { Run } from './tokenizer.ts';

const bits = 1 << 16;

/** Three of the same place may be others; all of a word's are there when the word is. */
const place = (text: string, at: number): number =>
  (text.charCodeAt(at) * 7919 + text.charCodeAt(at + 1) * 61 + text.charCodeAt(at + 2)) & (bits - 1);

export function gramsOf(words: Iterable<string>): Uint8Array {
  const grams = new Uint8Array(bits / 8);
  for (const word of words) {
    for (let at = 0; at + 2 < word.length; at++) {
      const bit = place(word, at);
      grams[bit >> 3] = (grams[bit >> 3] as number) | (1 << (bit & 7));
    }
  }
  return grams;
}

/** False when no word can have the run in it. */
export function mayHold(grams: Uint8Array, { text }: Run): boolean {
  for (let at = 0; at + 2 < text.length; at++) {
    const bit = place(text, at);
    if (((grams[bit >> 3] as number) & (1 << (bit & 7))) === 0) return false;
  }
  return true;
}
