/**
 * Limits sign-in attempts on one account from all networks, because an attacker has many. Unknown accounts count too, so that they cannot be
 * told apart. An attacker delays the owner by seconds at most, and not at all in networks from which the owner has signed in, because those
 * have a limit of their own.
 */
import type { BucketStore } from '../coordination/bucket-store.ts';
import { networkOf } from './network-of.ts';

const failuresPerMinute = 10;
const knownMax = 10_000;

/** Too many attempts on the account, with the time to retry. */
export class TooManyAttempts extends Error {
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super('Too many attempts to sign in to this account');
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export class AccountAttempts {
  readonly #buckets: BucketStore;
  /**
   * Pairs of account and network with a successful sign-in at this gateway, latest last. Not shared: another gateway counts such a pair
   * with the account, so from one network at most twice as many attempts are admitted.
   */
  readonly #known = new Set<string>();

  constructor(buckets: BucketStore) {
    this.#buckets = buckets;
  }

  /**
   * Counts an attempt before any lookup.
   * @param ip client address
   * @returns call on success, to uncount it
   * @throws TooManyAttempts, or StorageError when attempts cannot be counted: then nobody signs in
   */
  async begin(account: string, ip: string | null): Promise<() => Promise<void>> {
    const pair = `${account.normalize('NFKC').trim().toLowerCase()} ${networkOf(ip ?? '')}`;
    const bucket = this.#known.has(pair) ? `pair ${pair}` : `account ${pair.slice(0, pair.lastIndexOf(' '))}`;
    const { retryAfterSeconds } = await this.#buckets.take(bucket, failuresPerMinute);
    if (retryAfterSeconds !== null) throw new TooManyAttempts(retryAfterSeconds);
    return async () => {
      await this.#buckets.putBack(bucket, failuresPerMinute);
      this.#known.delete(pair);
      this.#known.add(pair);
      for (const oldest of this.#known) {
        if (this.#known.size <= knownMax) break;
        this.#known.delete(oldest);
      }
    };
  }
}
