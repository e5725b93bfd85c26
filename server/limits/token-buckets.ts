/**
 * Rate limiter by caller: so many requests a minute, refilled evenly. Stores only the time at which a bucket would be full again (generic
 * cell rate algorithm), so there are no timers and no drift.
 */
import type { Clock } from '../platform/clock.ts';

const minuteMs = 60_000;
const sweepEvery = 10_000;
/** A minute does not divide evenly by every limit; the last token is there all the same. */
const roundingMs = 1e-6;

/** Rest after a request, in the terms of the `RateLimit-*` headers. */
export interface Left {
  limit: number;
  remaining: number;
  /** Until the bucket is full again. */
  resetSeconds: number;
  /** Null when the request may pass, else when one would. */
  retryAfterSeconds: number | null;
}

export class TokenBuckets {
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** When each is full again, by the monotonic clock. */
  readonly #fullAt = new Map<string, number>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** Takes one token of the bucket of `who`. @param perMinute at least 1 */
  take(who: string, perMinute: number): Left {
    const now = this.#clock.monotonic();
    if (this.#fullAt.size > sweepEvery) this.#forgetFull(now);
    const costMs = minuteMs / perMinute;
    const spentMs = Math.max(0, (this.#fullAt.get(who) ?? 0) - now);
    const after = spentMs + costMs;
    if (after > minuteMs + roundingMs) {
      const waitMs = after - minuteMs;
      return { limit: perMinute, remaining: 0, resetSeconds: seconds(spentMs), retryAfterSeconds: Math.max(1, seconds(waitMs)) };
    }
    this.#fullAt.set(who, now + after);
    const remaining = Math.floor((minuteMs - after) / costMs + roundingMs);
    return { limit: perMinute, remaining, resetSeconds: seconds(after), retryAfterSeconds: null };
  }

  /** Gives back a token that was taken. */
  giveBack(who: string, perMinute: number): void {
    const fullAt = this.#fullAt.get(who);
    if (fullAt !== undefined) this.#fullAt.set(who, fullAt - minuteMs / perMinute);
  }

  #forgetFull(now: number): void {
    for (const [who, fullAt] of this.#fullAt) if (fullAt <= now) this.#fullAt.delete(who);
  }
}

const seconds = (ms: number): number => Math.ceil(ms / 1000);
