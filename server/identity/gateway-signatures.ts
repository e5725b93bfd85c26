/**
 * Signatures of requests between the gateways of one installation. They prove that the sender has the installation's secret, and that method,
 * path and body are its own; a request is accepted once, and only for some minutes.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../platform/clock.ts';
import { type DerivedKeys, derivedKeys, type Secrets } from './secrets.ts';

/** Two gateways may each be a minute away from the time of the database; and the request takes a moment. */
const ageMaxMs = 3 * 60_000;
const form = /^Glasshouse-Gateway time=(\d{1,16}), nonce=([0-9a-f]{32}), body=([0-9a-f]{64}), mac=([0-9a-f]{64})$/;

export const digestOf = (body: Uint8Array): Buffer => createHash('sha256').update(body).digest();

export class GatewaySignatures {
  readonly #keys: DerivedKeys;
  readonly #clock: Clock;
  /** Accepted ones, with the monotonic time from which on their age is enough to refuse them, in the order of their arrival. */
  readonly #nonces = new Map<string, number>();

  /** @param secrets of the installation */
  constructor(secrets: Secrets, clock: Clock) {
    this.#keys = derivedKeys(secrets, 'glasshouse requests between gateways');
    this.#clock = clock;
  }

  /** Value of the `Authorization` header. */
  sign(method: string, path: string, body: Uint8Array): string {
    const [time, nonce, digest] = [String(this.#clock.now()), randomBytes(16).toString('hex'), digestOf(body).toString('hex')];
    const mac = macOf(this.#keys[0], [method, path, time, nonce, digest]).toString('hex');
    return `Glasshouse-Gateway time=${time}, nonce=${nonce}, body=${digest}, mac=${mac}`;
  }

  /**
   * Checks the head of a request, before its body is read.
   * @returns digest that its body must have; null when it was not signed with such a secret, is too old or was accepted before
   */
  accept(method: string, path: string, authorization: string | undefined): Buffer | null {
    const [, time = '', nonce = '', digest = '', mac = ''] = form.exec(authorization ?? '') ?? [];
    const signed = Buffer.from(mac, 'hex');
    if (mac === '' || !this.#keys.some((key) => timingSafeEqual(signed, macOf(key, [method, path, time, nonce, digest])))) return null;
    if (Math.abs(this.#clock.now() - Number(time)) > ageMaxMs) return null;
    const now = this.#clock.monotonic();
    for (const [old, endMs] of this.#nonces) {
      if (endMs >= now) break;
      this.#nonces.delete(old);
    }
    if (this.#nonces.has(nonce)) return null;
    this.#nonces.set(nonce, now + 2 * ageMaxMs);
    return Buffer.from(digest, 'hex');
  }
}

const macOf = (key: Uint8Array, lines: readonly string[]): Buffer => createHmac('sha256', key).update(lines.join('\n')).digest();
