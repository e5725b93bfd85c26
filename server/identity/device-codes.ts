/**
 * The two codes of a machine that asks for a key: a secret that it keeps, and a short one that a person reads off one screen and compares
 * with another. Neither is stored. The short one could be searched by whoever has its plain digest, so its digest takes a key.
 */
import { createHash, createHmac, hkdfSync, randomBytes, randomInt } from 'node:crypto';

/** No vowels, so no words; no digits, so nothing that looks like another. 34 bits in eight (RFC 8628, 6.1). */
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
    const some = () => Array.from({ length: half }, () => letters[randomInt(letters.length)]).join('');
    return `${some()}-${some()}`;
  }

  digestOfDeviceCode = (code: string): Uint8Array => this.#digestOf(`device ${code}`);

  /** Of a code as a person types it. */
  digestOfUserCode = (typed: string): Uint8Array => this.#digestOf(`user ${typed.toUpperCase().replace(/[^A-Z]/g, '')}`);

  #digestOf(text: string): Uint8Array {
    return createHmac('sha256', this.#key).update(text).digest();
  }
}

/** What a machine says first of what it shows last (RFC 7636, S256). */
export const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');
