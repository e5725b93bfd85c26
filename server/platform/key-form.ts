/**
 * Format of an API key: `sk_service_` and 32 characters of base 62, the last six of which are a checksum. A mistyped or invented key is
 * recognised without a lookup, and secret scanners have no false positives.
 */
import { crc32 } from 'node:zlib';

export const keyStart = 'sk_service_';
export const keyAlphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 154 bits. */
export const randomChars = 26;
const checksumChars = 6;

/** Whether the value has the format and the checksum of our keys. */
export function isKeyValue(value: string): boolean {
  const body = value.slice(keyStart.length);
  if (!value.startsWith(keyStart) || body.length !== randomChars + checksumChars) return false;
  return checksumOf(body.slice(0, randomChars)) === body.slice(randomChars);
}

export function checksumOf(text: string): string {
  let rest = crc32(text);
  let checksum = '';
  for (let i = 0; i < checksumChars; i++) {
    checksum = keyAlphabet[rest % keyAlphabet.length] + checksum;
    rest = Math.floor(rest / keyAlphabet.length);
  }
  return checksum;
}
