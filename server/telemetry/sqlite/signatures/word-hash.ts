/** Hashes of words in lower case. Their seeds are random, so that nobody can choose words with equal hashes. */
import { randomBytes } from 'node:crypto';
import { lowerCase } from './byte-kinds.ts';

export interface Hash {
  first: number;
  second: number;
}

const random = randomBytes(16);
export const firstSeed = random.readInt32LE(0);
export const secondSeed = random.readInt32LE(4);
/** Odd factors of multiplicative hashes. */
export const firstFactor = random.readInt32LE(8) | 1;
export const secondFactor = random.readInt32LE(12) | 1;

/** As the scanner computes it byte by byte. */
export function hashOf(bytes: Uint8Array, start: number, end: number): Hash {
  let [first, second] = [firstSeed, secondSeed];
  for (let at = start; at < end; at++) {
    const byte = lowerCase[bytes[at] as number] as number;
    first = Math.imul(first ^ byte, firstFactor);
    second = Math.imul(second ^ byte, secondFactor);
  }
  return { first, second };
}
