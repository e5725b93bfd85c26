/**
 * Generates text that compresses and repeats like that of agents: invented words, of which common ones are short and frequent, in recurring
 * sentences. It needs no word list.
 */
import { Random } from './random.ts';

const wordCount = 9000;
const sentenceCount = 24_000;
const consonants = [...'tnrslhdcmpgfbvwyk'];
const vowels = [...'eaioueaioea'];

export class Prose {
  readonly #sentences: string[];

  constructor(seed = 'prose') {
    const random = new Random(seed);
    const words = vocabulary(random);
    this.#sentences = Array.from({ length: sentenceCount }, () => sentence(random, words));
  }

  /** Text of exactly `length` characters. */
  text(random: Random, length: number): string {
    const parts: string[] = [];
    let size = 0;
    while (size < length) {
      const part = random.pickSkewed(this.#sentences, 1.3) + (random.chance(0.08) ? reference(random) : '');
      parts.push(part);
      size += part.length;
    }
    return parts.join('').slice(0, length);
  }
}

/** Unique numbers and names, which keep real text from compressing too well. */
const reference = (random: Random): string => `ref ${random.bits().toString(36)} at ${random.between(1, 99_999)}, `;

function vocabulary(random: Random): string[] {
  const words = new Set<string>();
  while (words.size < wordCount) {
    // The most common words of any language are its shortest.
    const length = Math.min(13, Math.max(2, Math.round(2.6 + Math.log10(words.size + 2) * 1.2 + random.fraction() * 3 - 1)));
    words.add(word(random, length));
  }
  return [...words];
}

function word(random: Random, length: number): string {
  let text = '';
  while (text.length < length) {
    if (text === '' ? random.chance(0.7) : !vowels.includes(text.at(-1) ?? '') ? random.chance(0.12) : true)
      text += random.pickSkewed(consonants, 2.2);
    else text += random.pickSkewed(vowels, 1.8);
  }
  return text;
}

function sentence(random: Random, words: string[]): string {
  const text = Array.from({ length: random.between(6, 24) }, () => random.pickSkewed(words, 2.8)).join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1) + (random.chance(0.1) ? '?\n' : '. ');
}
