/**
 * The two codes of device sign-in: a secret of the machine, and a short code that a person compares between two screens. Neither is stored. A
 * plain digest of the short one could be found by trying all codes, so the digests are keyed.
 */
import { createHash, createHmac, hkdfSync, randomBytes, randomInt } from 'node:crypto';

/** No vowels, so no words; no digits, so no characters that look alike. 34 bits in eight letters (RFC 8628, 6.1). */
const letters = 'BCDFGHJKLMNPQRSTVWXZ';
const half = 4;
const deviceCodeBytes = 32;

export class DeviceCodes {
  readonly #key: Uint8Array;

  /** @param secret of the deployment */
  constructor(secret: string) {
    this.#key = new Uint8Array(hkdfSync('sha256', secret, '', 'glasshouse device codes', 32));
  }

  newDeviceCode = (): string => randomBytes(deviceCodeBytes).toString('base64url');

  newUserCode(): string {
    const group = () => Array.from({ length: half }, () => letters[randomInt(letters.length)]).join('');
    return `${group()}-${group()}`;
  }

  digestOfDeviceCode = (code: string): Uint8Array => this.#digestOf(`device ${code}`);

  /** Digest of a code as typed by a person. */
  digestOfUserCode = (typed: string): Uint8Array => this.#digestOf(`user ${typed.toUpperCase().replace(/[^A-Z]/g, '')}`);

  #digestOf(text: string): Uint8Array {
    return createHmac('sha256', this.#key).update(text).digest();
  }
}

/** Code challenge of RFC 7636, S256. */
export const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');
