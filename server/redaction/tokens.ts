/** What stands for a hidden value where it leaves: `‹email-7f3k2m…›`. */
import { createHmac } from 'node:crypto';
import type { HiddenKind } from '../../shared/contract/redaction.ts';
import type { Token } from '../telemetry/redaction-store.ts';

/**
 * 80 bits. Of a million million values two meet with a probability of less than a half, of a thousand million of one in two million; and
 * without the key nobody can try values until one fits.
 */
const tokenBytes = 10;
const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';
/** Values that were met last: histories repeat theirs in every span. */
const rememberedMax = 20_000;

/**
 * Makes tokens. The same value has the same letters for ever and everywhere on one installation, so what it groups stays grouped.
 * Neither quotes nor backslashes are in a token: JSON in a text stays JSON.
 */
export class TokenMint {
  readonly #key: Uint8Array;
  readonly #known = new Map<string, string>();

  constructor(key: Uint8Array) {
    this.#key = key;
  }

  of(kind: HiddenKind, value: string): Token {
    return { token: `‹${kind}-${this.#letters(value)}›`, kind, value };
  }

  #letters(value: string): string {
    const known = this.#known.get(value);
    if (known !== undefined) return known;
    const made = base32(createHmac('sha256', this.#key).update(value).digest().subarray(0, tokenBytes));
    if (this.#known.size >= rememberedMax) this.#known.clear();
    this.#known.set(value, made);
    return made;
  }
}

function base32(bytes: Uint8Array): string {
  let [text, bits, rest] = ['', 0, 0];
  for (const byte of bytes) {
    rest = (rest << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += alphabet[(rest >> bits) & 31];
    }
    rest &= (1 << bits) - 1;
  }
  return text;
}
