/**
 * The value of an API key: `sk_service_` and 32 characters of base 62, of which the last six are a checksum over the rest. A mistyped or
 * made-up key is told apart without a look into the store, and a scanner for leaked secrets can be sure of what it found.
 */
import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

export const keyStart = 'sk_service_';
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 154 bits. */
const randomChars = 26;
const checksumChars = 6;
/** How much of a value its owner is shown again. */
const prefixChars = keyStart.length + 4;

export interface NewKeyValue {
  value: string;
  digest: Uint8Array;
  key_prefix: string;
}

export function newKeyValue(): NewKeyValue {
  const random = Array.from({ length: randomChars }, () => alphabet[randomInt(alphabet.length)]).join('');
  const value = keyStart + random + checksumOf(random);
  return { value, digest: digestOf(value), key_prefix: value.slice(0, prefixChars) };
}

/** What is stored of a key and what it is found by. Its value has more chance in it than could be searched: a slow hash adds nothing. */
export const digestOf = (value: string): Uint8Array => createHash('sha256').update(value).digest();

/** Whether we could have made it. */
export function isKeyValue(value: string): boolean {
  const body = value.slice(keyStart.length);
  if (!value.startsWith(keyStart) || body.length !== randomChars + checksumChars) return false;
  return checksumOf(body.slice(0, randomChars)) === body.slice(randomChars);
}

function checksumOf(text: string): string {
  let rest = crc32(text);
  let written = '';
  for (let i = 0; i < checksumChars; i++) {
    written = alphabet[rest % alphabet.length] + written;
    rest = Math.floor(rest / alphabet.length);
  }
  return written;
}
