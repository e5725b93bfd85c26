/** Replaces values in texts, numbers and bytes with tokens. */
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

/** All detectors. Secrets precede personal data: a password that contains an e-mail address is a password. */
export const detectors: readonly Detector[] = [
  ...[privateKeys, prefixedKeys, awsSecrets, azureSecrets, telegramTokens, jwts, urlPasswords, authorizations, assignments],
  ...[emails, paymentCards, ibans, socialSecurityNumbers, phones, ipv4Addresses, ipv6Addresses],
];

/** Shorter texts contain no value of any detector. */
const lengthMin = 6;
/**
 * Replacing a value can make a value of the text around it, so a text is searched until nothing is found. An ordinary text needs two passes;
 * the limit bounds the cost of a hostile one.
 */
const passesMax = 8;
const cardMin = 1e12;
const namedLengthMax = 4096;

export class Hiding {
  /** Tokens inserted since the list was last emptied. */
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

  /** The same string when there is nothing to hide. */
  text(text: string): string {
    if (this.#search === null || text.length < lengthMin) return text;
    let hidden = text;
    for (let pass = 0; pass < passesMax; pass++) {
      const next = this.#replaceOnce(this.#search, hidden);
      if (next === hidden) break;
      hidden = next;
    }
    return hidden;
  }

  /** Value of an attribute whose name may say that it is a secret. */
  named(name: string, text: string): string {
    if (!this.#hidesNamed) return this.text(text);
    const secretName = secretNameOf(name);
    if (secretName === null || text.length > namedLengthMax) return this.text(text);
    const hidden = this.text(text);
    // Nothing secret is left where the detectors found the whole secret, as in `Bearer` and a key.
    return isSecretValue(secretName, hidden, true) ? this.#token('credential', text) : hidden;
  }

  /** Hides values in texts and in bytes that are text, and numbers of cards. The same value when there is nothing to hide. */
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

  #replaceOnce(search: Search, text: string): string {
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
    const token = this.#mint.of(kind, value);
    this.tokens.push(token);
    return token.token;
  }
}

/**
 * 80 bits: a collision has a probability of less than a half among 10^12 values and of one in two million among 10^9. Without the key, values
 * cannot be found by trying.
 */
const tokenBytes = 10;
const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';
/** Conversation histories repeat their values in every span. */
const cachedMax = 20_000;

/**
 * Makes tokens such as `‹email-7f3k2m…›`. A value has the same token for ever and everywhere on one installation, so that grouping by it still
 * works. Tokens contain neither quotes nor backslashes: JSON in a text stays valid.
 */
export class TokenMint {
  readonly #key: Uint8Array;
  readonly #cache = new Map<string, string>();

  constructor(key: Uint8Array) {
    this.#key = key;
  }

  of(kind: HiddenKind, value: string): Token {
    return { token: `‹${kind}-${this.#letters(value)}›`, kind, value };
  }

  #letters(value: string): string {
    const cached = this.#cache.get(value);
    if (cached !== undefined) return cached;
    const letters = base32(createHmac('sha256', this.#key).update(value).digest().subarray(0, tokenBytes));
    if (this.#cache.size >= cachedMax) this.#cache.clear();
    this.#cache.set(value, letters);
    return letters;
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
