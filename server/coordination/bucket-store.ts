/**
 * Token buckets: a number of requests per minute for each name. A bucket holds one minute's worth of tokens and is refilled evenly. It is
 * stored as the time at which it will be full again (generic cell rate algorithm), so there are no timers and no drift.
 */

/** State after a request, in the terms of the `RateLimit-*` headers. */
export interface RateLimitStatus {
  limit: number;
  remaining: number;
  /** Until the bucket is full again. */
  resetSeconds: number;
  /** Null when the request is allowed, otherwise the wait until the next one is. */
  retryAfterSeconds: number | null;
}

/** An unknown bucket is full. `perMinute` is at least 1. */
export interface BucketStore {
  /**
   * Takes one token of a bucket.
   * @throws StorageError when the store cannot be used; the caller decides whether the request is allowed
   */
  take(bucket: string, perMinute: number): Promise<RateLimitStatus>;
  /** Returns a token to its bucket. Never rejects: the bucket refills anyway. */
  putBack(bucket: string, perMinute: number): Promise<void>;
  /** Status of an allowed request by what this gateway knows, without a token. */
  lastKnown(bucket: string, perMinute: number): RateLimitStatus;
}

export const minuteMs = 60_000;

/** @param usedMs how long the bucket takes to be full again, after the request */
export function allowed(limit: number, usedMs: number): RateLimitStatus {
  const remaining = Math.floor(((minuteMs - usedMs) * limit) / minuteMs + rounding);
  return { limit, remaining: Math.max(0, remaining), resetSeconds: seconds(usedMs), retryAfterSeconds: null };
}

export function refused(limit: number, usedMs: number): RateLimitStatus {
  const waitMs = usedMs + minuteMs / limit - minuteMs;
  return { limit, remaining: 0, resetSeconds: seconds(usedMs), retryAfterSeconds: Math.max(1, seconds(waitMs)) };
}

/** Tolerance in tokens, because a minute does not divide evenly by every limit. */
const rounding = 1e-3;

const seconds = (ms: number): number => Math.ceil(ms / 1000);
