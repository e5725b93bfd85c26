/** Token buckets of a single gateway, in memory. */
import type { Clock } from '../platform/clock.ts';
import { allowed, type BucketStore, minuteMs, type RateLimitStatus, refused } from './bucket-store.ts';

const sweepEvery = 10_000;
/** Tolerance for rounding, because a minute does not divide evenly by every limit. */
const roundingMs = 1e-6;

export class MemoryBuckets implements BucketStore {
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** Time at which each bucket is full again, by the monotonic clock. */
  readonly #fullAt = new Map<string, number>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  async take(bucket: string, limit: number, windowMs = minuteMs): Promise<RateLimitStatus> {
    const now = this.#clock.monotonic();
    if (this.#fullAt.size > sweepEvery) this.#forgetFull(now);
    const usedMs = this.#usedMs(bucket, now);
    const after = usedMs + windowMs / limit;
    if (after > windowMs + roundingMs) return refused(limit, usedMs, windowMs);
    this.#fullAt.set(bucket, now + after);
    return allowed(limit, after, windowMs);
  }

  async putBack(bucket: string, perMinute: number): Promise<void> {
    const fullAt = this.#fullAt.get(bucket);
    if (fullAt !== undefined) this.#fullAt.set(bucket, fullAt - minuteMs / perMinute);
  }

  lastKnown(bucket: string, perMinute: number): RateLimitStatus {
    return allowed(perMinute, this.#usedMs(bucket, this.#clock.monotonic()));
  }

  #usedMs(bucket: string, now: number): number {
    return Math.max(0, (this.#fullAt.get(bucket) ?? 0) - now);
  }

  #forgetFull(now: number): void {
    for (const [bucket, fullAt] of this.#fullAt) if (fullAt <= now) this.#fullAt.delete(bucket);
  }
}
