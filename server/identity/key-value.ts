/** Creates API keys and their digests. */
import { createHash, randomInt } from 'node:crypto';
import { checksumOf, keyAlphabet, keyStart, randomChars } from '../platform/key-form.ts';

/** Length of the prefix that lists show. */
const prefixChars = keyStart.length + 4;

export interface NewKeyValue {
  value: string;
  digest: Uint8Array;
  key_prefix: string;
}

export function newKeyValue(): NewKeyValue {
  const random = Array.from({ length: randomChars }, () => keyAlphabet[randomInt(keyAlphabet.length)]).join('');
  const value = keyStart + random + checksumOf(random);
  return { value, digest: digestOf(value), key_prefix: value.slice(0, prefixChars) };
}

/** Stored digest of a key, used for lookup. Keys have enough entropy that a slow hash adds nothing. */
export const digestOf = (value: string): Uint8Array => createHash('sha256').update(value).digest();
