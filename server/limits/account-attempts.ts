/**
 * Attempts to sign in to one account, from wherever they come: one network has its own limit, an attacker has many networks. Accounts that
 * do not exist are counted like those that do, so nobody learns which there are. Whoever keeps trying keeps the owner waiting for seconds
 * and not for longer, and not at all where the owner has signed in before: there they have attempts of their own.
 */
import type { Clock } from '../platform/clock.ts';
import { networkOf } from './network-of.ts';
import { TokenBuckets } from './token-buckets.ts';

const failuresPerMinute = 10;
const placesMax = 10_000;

/** The account was tried too often; carries when to come back. */
export class TooManyAttempts extends Error {
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super('Too many attempts to sign in to this account');
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export class AccountAttempts {
  readonly #buckets: TokenBuckets;
  /** Accounts with a network from which somebody signed in to them, the latest last. */
  readonly #places = new Set<string>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#buckets = new TokenBuckets(clock);
  }

  /**
   * Counts an attempt, before anything is looked up or computed.
   * @param ip where it comes from
   * @returns to be called when it succeeded: it is counted no more
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
