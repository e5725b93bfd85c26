/**
 * Seeded random numbers: xoshiro128** with a state from SHA-256, and the distributions of agent traffic.
 * Not for secrets.
 */
import { createHash } from 'node:crypto';

export class Random {
  #a: number;
  #b: number;
  #c: number;
  #d: number;

  constructor(seed: string) {
    const digest = createHash('sha256').update(seed).digest();
    this.#a = digest.readUInt32LE(0);
    this.#b = digest.readUInt32LE(4);
    this.#c = digest.readUInt32LE(8);
    // A state of all zeros would produce only zeros.
    this.#d = digest.readUInt32LE(12) | 1;
  }

  /** An unsigned 32-bit number. */
  bits(): number {
    const rotated = Math.imul(this.#b, 5);
    const result = Math.imul((rotated << 7) | (rotated >>> 25), 9) >>> 0;
    const shifted = this.#b << 9;
    this.#c ^= this.#a;
    this.#d ^= this.#b;
    this.#b ^= this.#c;
    this.#a ^= this.#d;
    this.#c ^= shifted;
    this.#d = (this.#d << 11) | (this.#d >>> 21);
    return result;
  }

  /** From 0 up to, not including, 1. */
  fraction(): number {
    return this.bits() / 4_294_967_296;
  }

  /** An integer, both ends included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.fraction() * (high - low + 1));
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.fraction() * from.length)] as T;
  }

  /** Prefers the first items; more so with a larger skew. */
  pickSkewed<T>(from: readonly T[], skew: number): T {
    return from[Math.min(from.length - 1, Math.floor(from.length * this.fraction() ** skew))] as T;
  }

  /** Log-normal around a median, clamped at both ends: the distribution of sizes and durations of agent work. */
  spread(median: number, sigma: number, low: number, high: number): number {
    // The sum of six uniform numbers is close to normal, and cheaper than a logarithm and a cosine.
    let sum = -3;
    for (let count = 0; count < 6; count++) sum += this.fraction();
    return Math.min(high, Math.max(low, Math.round(median * Math.exp(sigma * sum * Math.SQRT2))));
  }

  hex(digits: number): string {
    let text = '';
    while (text.length < digits) text += this.bits().toString(16).padStart(8, '0');
    return text.slice(0, digits);
  }

  shuffled<T>(items: readonly T[]): T[] {
    const result = [...items];
    for (let at = result.length - 1; at > 0; at--) {
      const other = this.between(0, at);
      [result[at], result[other]] = [result[other] as T, result[at] as T];
    }
    return result;
  }
}
