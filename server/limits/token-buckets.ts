/**
 * Rate limiter: a number of requests per minute for each bucket, refilled evenly. Stores only the time at which a bucket will be full again
 * (generic cell rate algorithm), so there are no timers and no drift.
 */
import type { Clock } from '../platform/clock.ts';

const minuteMs = 60_000;
const sweepEvery = 10_000;
/** Tolerance for rounding, because a minute does not divide evenly by every limit. */
const roundingMs = 1e-6;

/** State after a request, in the terms of the `RateLimit-*` headers. */
export interface RateLimitStatus {
  limit: number;
  remaining: number;
  /** Until the bucket is full again. */
  resetSeconds: number;
  /** Null when the request is allowed, otherwise the wait until the next one is. */
  retryAfterSeconds: number | null;
}

export class TokenBuckets {
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** Time at which each bucket is full again, by the monotonic clock. */
  readonly #fullAt = new Map<string, number>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** Takes one token of a bucket. @param perMinute at least 1 */
  take(bucket: string, perMinute: number): RateLimitStatus {
    const now = this.#clock.monotonic();
    if (this.#fullAt.size > sweepEvery) this.#forgetFull(now);
    const costMs = minuteMs / perMinute;
    const usedMs = Math.max(0, (this.#fullAt.get(bucket) ?? 0) - now);
    const after = usedMs + costMs;
    if (after > minuteMs + roundingMs) {
      const waitMs = after - minuteMs;
      return { limit: perMinute, remaining: 0, resetSeconds: seconds(usedMs), retryAfterSeconds: Math.max(1, seconds(waitMs)) };
    }
    this.#fullAt.set(bucket, now + after);
    const remaining = Math.floor((minuteMs - after) / costMs + roundingMs);
    return { limit: perMinute, remaining, resetSeconds: seconds(after), retryAfterSeconds: null };
  }

  /** Returns a token to its bucket. */
  putBack(bucket: string, perMinute: number): void {
    const fullAt = this.#fullAt.get(bucket);
    if (fullAt !== undefined) this.#fullAt.set(bucket, fullAt - minuteMs / perMinute);
  }

  #forgetFull(now: number): void {
    for (const [bucket, fullAt] of this.#fullAt) if (fullAt <= now) this.#fullAt.delete(bucket);
  }
}

const seconds = (ms: number): number => Math.ceil(ms / 1000);
