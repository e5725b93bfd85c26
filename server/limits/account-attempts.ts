/**
 * Limits sign-in attempts on one account from all networks, because an attacker has many. Unknown accounts count too, so that they cannot be
 * told apart. An attacker delays the owner by seconds at most, and not at all in networks from which the owner has signed in: those have
 * attempts of their own.
 */
import type { Clock } from '../platform/clock.ts';
import { networkOf } from './network-of.ts';
import { TokenBuckets } from './token-buckets.ts';

const failuresPerMinute = 10;
const placesMax = 10_000;

/** Too many attempts on the account, with the time to retry. */
export class TooManyAttempts extends Error {
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super('Too many attempts to sign in to this account');
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export class AccountAttempts {
  readonly #buckets: TokenBuckets;
  /** Accounts with networks of successful sign-ins, latest last. */
  readonly #places = new Set<string>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#buckets = new TokenBuckets(clock);
  }

  /**
   * Counts an attempt before any lookup.
   * @param ip client address
   * @returns call on success, to uncount it
   * @throws TooManyAttempts
   */
  begin(account: string, ip: string | null): () => void {
    const place = `${account.normalize('NFKC').trim().toLowerCase()} ${networkOf(ip ?? '')}`;
    const who = this.#places.has(place) ? `place ${place}` : `account ${place.slice(0, place.lastIndexOf(' '))}`;
    const { retryAfterSeconds } = this.#buckets.take(who, failuresPerMinute);
    if (retryAfterSeconds !== null) throw new TooManyAttempts(retryAfterSeconds);
    return () => {
      this.#buckets.giveBack(who, failuresPerMinute);
      this.#places.delete(place);
      this.#places.add(place);
      for (const oldest of this.#places) {
        if (this.#places.size <= placesMax) break;
        this.#places.delete(oldest);
      }
    };
  }
}
