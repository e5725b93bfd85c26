/** Puts tokens in the place of what is to be hidden in texts, numbers and bytes. */
import { isUtf8 } from 'node:buffer';
import { createHmac } from 'node:crypto';
import type { HiddenKind } from '../../shared/contract/operations/redaction.ts';
import type { RawValue } from '../ingest/otlp/raw-span.ts';
import type { Token } from '../telemetry/redaction-store.ts';
import { emails, ipv4Addresses, ipv6Addresses } from './detectors/addresses.ts';
import { assignments, authorizations, isSecretValue, secretNameOf, urlPasswords } from './detectors/credentials.ts';
import { awsSecrets, azureSecrets, jwts, prefixedKeys, privateKeys, telegramTokens } from './detectors/keys.ts';
import { ibans, isCardNumber, paymentCards, phones, socialSecurityNumbers } from './detectors/numbers.ts';
import { type Detector, Search } from './detectors/search.ts';

/** All that can be looked for. Secrets come before what is of a person: a password that holds an address is a password. */
export const detectors: readonly Detector[] = [
  ...[privateKeys, prefixedKeys, awsSecrets, azureSecrets, telegramTokens, jwts, urlPasswords, authorizations, assignments],
  ...[emails, paymentCards, ibans, socialSecurityNumbers, phones, ipv4Addresses, ipv6Addresses],
];

/** A shorter text holds nothing that is looked for. */
const lengthMin = 6;
/**
 * What is put in place of a value can make a value of its neighbours, so a text is looked at until nothing is found. An honest text needs
 * two looks; this bounds what a hostile one costs.
 */
const looksMax = 8;
const cardMin = 1e12;

export class Hiding {
  /** What was put into place since somebody last took them. */
  tokens: Token[] = [];
  readonly #search: Search | null;
  readonly #mint: TokenMint;
  readonly #hidesCards: boolean;
  readonly #hidesNamed: boolean;

  constructor(kinds: readonly HiddenKind[], mint: TokenMint) {
    const used = detectors.filter(({ kind }) => kinds.includes(kind));
    this.#search = used.length > 0 ? new Search(used) : null;
    this.#mint = mint;
    this.#hidesCards = kinds.includes('card');
    this.#hidesNamed = kinds.includes('credential');
  }

  /** The same text when there is nothing to hide in it. */
  text(text: string): string {
    if (this.#search === null || text.length < lengthMin) return text;
    let hidden = text;
    for (let looks = 0; looks < looksMax; looks++) {
      const next = this.#once(this.#search, hidden);
      if (next === hidden) break;
      hidden = next;
    }
    return hidden;
  }

  /** A text under a name, which may say that it is a secret. */
  named(name: string, text: string): string {
    if (!this.#hidesNamed) return this.text(text);
    const sort = secretNameOf(name);
    if (sort === null || text.length > 4096) return this.text(text);
    const hidden = this.text(text);
    // What is left is no secret where all of it said itself what it is, as `Bearer` and a key.
    return isSecretValue(sort, hidden, true) ? this.#token('credential', text) : hidden;
  }

  /** Text, numbers that are those of cards, and bytes that are text; the same value when there is nothing to hide. Neither lists nor maps. */
  scalar(value: Exclude<RawValue, RawValue[] | { map: unknown }>): RawValue {
    if (typeof value === 'string') return this.text(value);
    if (typeof value === 'number') return this.#number(value, value);
    if (value === null || typeof value === 'boolean') return value;
    if ('int' in value) return this.#number(value, Number(value.int), value.int);
    if ('double' in value) return this.#number(value, Number(value.double));
    return this.#bytes(value);
  }

  #number(value: RawValue, number: number, digits = String(number)): RawValue {
    if (!this.#hidesCards || !(number >= cardMin) || !/^\d{13,19}$/.test(digits) || !isCardNumber(digits)) return value;
    return this.#token('card', digits);
  }

  #bytes(value: { bytes: string }): RawValue {
    if (this.#search === null || value.bytes.length < lengthMin) return value;
    const bytes = Buffer.from(value.bytes, 'base64');
    if (!isUtf8(bytes)) return value;
    const text = bytes.toString();
    const hidden = this.text(text);
    return hidden === text ? value : { bytes: Buffer.from(hidden).toString('base64') };
  }

  #once(search: Search, text: string): string {
    const found = search.in(text);
    if (found.length === 0) return text;
    const parts: string[] = [];
    let at = 0;
    for (const { kind, start, end } of found) {
      parts.push(text.slice(at, start), this.#token(kind, text.slice(start, end)));
      at = end;
    }
    parts.push(text.slice(at));
    return parts.join('');
  }

  #token(kind: HiddenKind, value: string): string {
    const made = this.#mint.of(kind, value);
    this.tokens.push(made);
    return made.token;
  }
}

/** What stands for a hidden value where it leaves: `‹email-7f3k2m…›`. */

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
