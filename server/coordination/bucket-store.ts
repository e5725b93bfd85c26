/**
 * Token buckets: a number of requests within a minute, or within another time, for each name. A bucket holds the tokens of that time and is
 * refilled evenly. It is stored as the time at which it will be full again (generic cell rate algorithm), so there are no timers and no drift.
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

/** An unknown bucket is full. A limit is at least 1. */
export interface BucketStore {
  /**
   * Takes one token of a bucket.
   * @param limit requests within `windowMs`, a minute by default; a bucket always has the same of both
   * @throws StorageError when the store cannot be used; the caller decides whether the request is allowed
   */
  take(bucket: string, limit: number, windowMs?: number): Promise<RateLimitStatus>;
  /** Returns a token to its bucket. Never rejects: the bucket refills anyway. */
  putBack(bucket: string, perMinute: number): Promise<void>;
  /** Status of an allowed request by what this gateway knows, without a token. */
  lastKnown(bucket: string, perMinute: number): RateLimitStatus;
}

export const minuteMs = 60_000;

/** @param usedMs how long the bucket takes to be full again, after the request */
export function allowed(limit: number, usedMs: number, windowMs = minuteMs): RateLimitStatus {
  const remaining = Math.floor(((windowMs - usedMs) * limit) / windowMs + rounding);
  return { limit, remaining: Math.max(0, remaining), resetSeconds: seconds(usedMs), retryAfterSeconds: null };
}

export function refused(limit: number, usedMs: number, windowMs = minuteMs): RateLimitStatus {
  const waitMs = usedMs + windowMs / limit - windowMs;
  return { limit, remaining: 0, resetSeconds: seconds(usedMs), retryAfterSeconds: Math.max(1, seconds(waitMs)) };
}

/** Tolerance in tokens, because a minute does not divide evenly by every limit. */
const rounding = 1e-3;

const seconds = (ms: number): number => Math.ceil(ms / 1000);
