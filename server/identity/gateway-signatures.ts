/**
 * Signatures of requests between the gateways of one installation. They prove that the sender has the installation's secret, and that method,
 * path and body are its own; a request is accepted once, and only for some minutes.
 */
import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../platform/clock.ts';

/** Two gateways may each be a minute away from the time of the database; and the request takes a moment. */
const ageMaxMs = 3 * 60_000;
const form = /^Glasshouse-Gateway time=(\d{1,16}), nonce=([0-9a-f]{32}), body=([0-9a-f]{64}), mac=([0-9a-f]{64})$/;

export const digestOf = (body: Uint8Array): Buffer => createHash('sha256').update(body).digest();

export class GatewaySignatures {
  readonly #key: Uint8Array;
  readonly #clock: Clock;
  /** Accepted ones, with the monotonic time from which on their age is enough to refuse them, in the order of their arrival. */
  readonly #nonces = new Map<string, number>();

  /** @param secret of the installation; the key is derived from it, so that nothing else is signed with the same one */
  constructor(secret: string, clock: Clock) {
    this.#key = new Uint8Array(hkdfSync('sha256', secret, '', 'glasshouse requests between gateways', 32));
    this.#clock = clock;
  }

  /** Value of the `Authorization` header. */
  sign(method: string, path: string, body: Uint8Array): string {
    const [time, nonce, digest] = [String(this.#clock.now()), randomBytes(16).toString('hex'), digestOf(body).toString('hex')];
    const mac = this.#macOf(method, path, time, nonce, digest).toString('hex');
    return `Glasshouse-Gateway time=${time}, nonce=${nonce}, body=${digest}, mac=${mac}`;
  }

  /**
   * Checks the head of a request, before its body is read.
   * @returns digest that its body must have; null when it was not signed with this secret, is too old or was accepted before
   */
  accept(method: string, path: string, authorization: string | undefined): Buffer | null {
    const [, time = '', nonce = '', digest = '', mac = ''] = form.exec(authorization ?? '') ?? [];
    if (mac === '' || !timingSafeEqual(Buffer.from(mac, 'hex'), this.#macOf(method, path, time, nonce, digest))) return null;
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

  #macOf(method: string, path: string, time: string, nonce: string, digest: string): Buffer {
    return createHmac('sha256', this.#key).update([method, path, time, nonce, digest].join('\n')).digest();
  }
}
