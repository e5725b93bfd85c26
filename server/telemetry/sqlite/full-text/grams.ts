/** Trigrams of the words of a segment. A segment that lacks a trigram of a sought word is skipped, which most are. */
import type { Run } from './tokenizer.ts';

const bits = 1 << 16;

/** Bit of a trigram. Different trigrams may share a bit, which can only cause false positives. */
const bitOf = (text: string, at: number): number =>
  (text.charCodeAt(at) * 7919 + text.charCodeAt(at + 1) * 61 + text.charCodeAt(at + 2)) & (bits - 1);

export function gramsOf(words: Iterable<string>): Uint8Array {
  const grams = new Uint8Array(bits / 8);
  for (const word of words) {
    for (let at = 0; at + 2 < word.length; at++) {
      const bit = bitOf(word, at);
      grams[bit >> 3] = (grams[bit >> 3] as number) | (1 << (bit & 7));
    }
  }
  return grams;
}

/** False when no word of the segment contains the run. */
export function mayContain(grams: Uint8Array, { text }: Run): boolean {
  for (let at = 0; at + 2 < text.length; at++) {
    const bit = bitOf(text, at);
    if (((grams[bit >> 3] as number) & (1 << (bit & 7))) === 0) return false;
  }
  return true;
}
