/**
 * Tokens of one bucket that this gateway has taken from the shared store. Requests that wait for the store share one query. Of a high limit
 * the gateway takes a second's worth at once, so that a tenant with thousands of requests costs a few queries a second.
 *
 * Tokens that are not used lapse when the bucket can be full without them. So all gateways together hold at most a second's worth more than
 * a bucket would, however many they are: each batch has moved the time of a full bucket by its own length.
 */
import type { Clock } from '../platform/clock.ts';
import { allowed, type RateLimitStatus, refused } from './bucket-store.ts';

/** Limits up to this many requests a minute are counted one by one. */
const singleMax = 600;
/** After the bucket of a high limit was found empty, tokens gather for this long before the next query. */
const gatherMs = 250;

export interface Taken {
  /** At most the requested number. */
  granted: number;
  /** How long the bucket takes to be full again. */
  usedMs: number;
}

interface Waiting {
  resolve(status: RateLimitStatus): void;
  reject(error: unknown): void;
}

export class SecondOfTokens {
  readonly #limit: number;
  readonly #windowMs: number;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #takeShared: (count: number) => Promise<Taken>;
  readonly #waiting: Waiting[] = [];
  #isAsking = false;
  #held = 0;
  /** Time at which the bucket is full again as far as this gateway knows. */
  #fullAt = 0;
  /** Until then there is no token for anybody. */
  #emptyUntil = 0;

  /** @param takeShared takes up to this many tokens from the store */
  constructor(
    { limit, windowMs }: { limit: number; windowMs: number },
    clock: Pick<Clock, 'monotonic'>,
    takeShared: (count: number) => Promise<Taken>,
  ) {
    this.#limit = limit;
    this.#windowMs = windowMs;
    this.#clock = clock;
    this.#takeShared = takeShared;
  }

  /** Nothing is known about the bucket that a new object would not know. */
  get isUnused(): boolean {
    return !this.#isAsking && this.#fullAt <= this.#clock.monotonic();
  }

  get lastKnown(): RateLimitStatus {
    return allowed(this.#limit, this.#usedMs(this.#clock.monotonic()), this.#windowMs);
  }

  async take(): Promise<RateLimitStatus> {
    const now = this.#clock.monotonic();
    if (!this.#isAsking) {
      if (now >= this.#fullAt) this.#held = 0;
      const status = this.#answer(now);
      if (status) return status;
    }
    const { promise, resolve, reject } = Promise.withResolvers<RateLimitStatus>();
    this.#waiting.push({ resolve, reject });
    if (!this.#isAsking) void this.#ask();
    return promise;
  }

  /** A token was returned to the bucket. */
  refilled(): void {
    this.#emptyUntil = 0;
  }

  /** Null when the store must be asked. */
  #answer(now: number): RateLimitStatus | null {
    if (this.#held > 0) {
      this.#held--;
      return allowed(this.#limit, this.#usedMs(now), this.#windowMs);
    }
    return now < this.#emptyUntil ? refused(this.#limit, Math.max(0, this.#fullAt - now), this.#windowMs) : null;
  }

  /** Asks the store until all requests are answered. */
  async #ask(): Promise<void> {
    this.#isAsking = true;
    try {
      while (this.#waiting.length > 0) {
        const batch = this.#limit > singleMax ? Math.ceil(this.#limit / 60) : 1;
        await this.#takeBatch(Math.min(this.#limit, Math.max(batch, this.#waiting.length)));
      }
    } catch (error) {
      for (const { reject } of this.#waiting.splice(0)) reject(error);
    }
    this.#isAsking = false;
  }

  async #takeBatch(count: number): Promise<void> {
    const now = this.#clock.monotonic();
    const { granted, usedMs } = await this.#takeShared(count);
    this.#held = granted;
    this.#fullAt = now + usedMs;
    const isEmpty = granted < count;
    const waitMs = usedMs + this.#windowMs / this.#limit - this.#windowMs;
    if (isEmpty) this.#emptyUntil = now + Math.max(waitMs, this.#limit > singleMax ? gatherMs : 0);
    for (const [index, { resolve }] of this.#waiting.splice(0, isEmpty ? Number.POSITIVE_INFINITY : granted).entries())
      resolve(index < granted ? (this.#answer(now) as RateLimitStatus) : refused(this.#limit, usedMs, this.#windowMs));
  }

  /** Tokens that are held are not used. */
  #usedMs(now: number): number {
    return Math.max(0, this.#fullAt - now - (this.#held * this.#windowMs) / this.#limit);
  }
}
