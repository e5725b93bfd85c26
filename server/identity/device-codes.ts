/**
 * The two codes of device sign-in: a secret of the machine, and a short code that a person compares between two screens. Neither is stored. A
 * plain digest of the short one could be found by trying all codes, so the digests are keyed.
 */
import { createHash, createHmac, randomBytes, randomInt } from 'node:crypto';
import { type DerivedKeys, derivedKeys, type Secrets } from './secrets.ts';

/** No vowels, so no words; no digits, so no characters that look alike. 34 bits in eight letters (RFC 8628, 6.1). */
const letters = 'BCDFGHJKLMNPQRSTVWXZ';
const half = 4;
const deviceCodeBytes = 32;

export class DeviceCodes {
  readonly #keys: DerivedKeys;

  /** @param secrets of the deployment */
  constructor(secrets: Secrets) {
    this.#keys = derivedKeys(secrets, 'glasshouse device codes');
  }

  newDeviceCode = (): string => randomBytes(deviceCodeBytes).toString('base64url');

  newUserCode(): string {
    const group = () => Array.from({ length: half }, () => letters[randomInt(letters.length)]).join('');
    return `${group()}-${group()}`;
  }

  /** Digests under which a request may be stored; a new one is stored under the first. */
  digestsOfDeviceCode = (code: string): Digests => this.#digestsOf(`device ${code}`);

  /** The same for a code as typed by a person. */
  digestsOfUserCode = (typed: string): Digests => this.#digestsOf(`user ${typed.toUpperCase().replace(/[^A-Z]/g, '')}`);

  #digestsOf(text: string): Digests {
    const [current, ...others] = this.#keys;
    const digestOf = (key: Uint8Array) => createHmac('sha256', key).update(text).digest();
    return [digestOf(current), ...others.map(digestOf)];
  }
}

type Digests = readonly [Uint8Array, ...Uint8Array[]];

/** Code challenge of RFC 7636, S256. */
export const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');
