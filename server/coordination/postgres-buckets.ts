/**
 * Token buckets that gateways share through PostgreSQL. Times are those of the database, so the clocks of gateways do not matter. After the
 * query in which it was not available, the database is left alone for a moment, so that requests do not wait for it one after the other.
 */
import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import type { Clock } from '../platform/clock.ts';
import { StorageError } from '../telemetry/storage-error.ts';
import { allowed, type BucketStore, minuteMs, type RateLimitStatus } from './bucket-store.ts';
import { SecondOfTokens, type Taken } from './second-of-tokens.ts';

const sweepEvery = 10_000;
const deleteEveryMs = 60_000;
const deletedAtOnce = 10_000;
const pauseAfterFailureMs = 1_000;

/**
 * `now()` is the start of the statement, so one that waits for another grants too little rather than too much. A bucket that is fuller than
 * empty only by a clock that was set back counts as empty. 0.01: a minute does not divide evenly by every limit.
 */
const takeSql = `
INSERT INTO bucket AS b (name, full_at, granted) VALUES ($1, now() + $2::int * $3::float8 * interval '1 second', $2)
ON CONFLICT (name) DO UPDATE SET (full_at, granted) = (
  SELECT used.until + g.granted * $3 * interval '1 second', g.granted
  FROM (SELECT least(greatest(b.full_at, now()), now() + $4::float8 * interval '1 second') AS until) AS used,
    LATERAL (SELECT greatest(0, least($2, floor(($4 - extract(epoch FROM used.until - now())::float8) / $3 + 0.01)))::int AS granted) AS g)
RETURNING granted, extract(epoch FROM full_at - now())::float8 * 1000 AS "usedMs"`;

const putBackSql = `UPDATE bucket SET full_at = full_at - $2::float8 * interval '1 second' WHERE name = $1`;

const deleteFullSql = `
DELETE FROM bucket WHERE ctid = ANY (ARRAY(SELECT ctid FROM bucket WHERE full_at < now() LIMIT ${deletedAtOnce} FOR UPDATE SKIP LOCKED))`;

/** Names contain addresses of people, and are as long as a client likes. */
const digestOf = (bucket: string): Buffer => createHash('sha256').update(bucket).digest();

export class PostgresBuckets implements BucketStore {
  readonly #pool: Pool;
  readonly #failureOf: (error: unknown) => StorageError | null;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #tokens = new Map<string, SecondOfTokens>();
  readonly #timer: NodeJS.Timeout;
  #failure: { error: unknown; until: number } | null = null;

  /** @param failureOf turns an error of the database into a StorageError; null for one that is a bug */
  constructor(pool: Pool, failureOf: (error: unknown) => StorageError | null, clock: Pick<Clock, 'monotonic'>) {
    this.#pool = pool;
    this.#failureOf = failureOf;
    this.#clock = clock;
    this.#timer = setInterval(() => void this.deleteFull().catch(() => {}), deleteEveryMs).unref();
  }

  take(bucket: string, limit: number, windowMs = minuteMs): Promise<RateLimitStatus> {
    return this.#of(bucket, limit, windowMs).take();
  }

  async putBack(bucket: string, perMinute: number): Promise<void> {
    try {
      await this.#query('put back', putBackSql, [digestOf(bucket), 60 / perMinute]);
      this.#tokens.get(keyOf(bucket, perMinute))?.refilled();
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
    }
  }

  lastKnown(bucket: string, perMinute: number): RateLimitStatus {
    return this.#tokens.get(keyOf(bucket, perMinute))?.lastKnown ?? allowed(perMinute, 0);
  }

  /** Deletes buckets that are full, as unknown ones are. */
  async deleteFull(): Promise<void> {
    for (let deleted = deletedAtOnce; deleted === deletedAtOnce; ) deleted = (await this.#pool.query(deleteFullSql)).rowCount ?? 0;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #of(bucket: string, limit: number, windowMs: number): SecondOfTokens {
    const key = keyOf(bucket, limit);
    const existing = this.#tokens.get(key);
    if (existing) return existing;
    if (this.#tokens.size > sweepEvery) for (const [other, { isUnused }] of this.#tokens) if (isUnused) this.#tokens.delete(other);
    const windowSeconds = windowMs / 1000;
    const values = [windowSeconds / limit, windowSeconds];
    const digest = digestOf(bucket);
    const tokens = new SecondOfTokens({ limit, windowMs }, this.#clock, async (count) => {
      const [taken] = await this.#query<Taken>('take', takeSql, [digest, count, ...values]);
      return taken as Taken;
    });
    this.#tokens.set(key, tokens);
    return tokens;
  }

  /** @throws StorageError */
  async #query<Row extends object>(name: string, text: string, values: unknown[]): Promise<Row[]> {
    if (this.#failure) {
      const now = this.#clock.monotonic();
      if (now < this.#failure.until) throw this.#failure.error;
      // One query finds out whether it is back, and the others do not wait for that.
      this.#failure.until = now + pauseAfterFailureMs;
    }
    try {
      const { rows } = await this.#pool.query<Row>({ name: `bucket: ${name}`, text, values });
      this.#failure = null;
      return rows;
    } catch (cause) {
      const error = this.#failureOf(cause) ?? cause;
      if (error instanceof StorageError) this.#failure = { error, until: this.#clock.monotonic() + pauseAfterFailureMs };
      throw error;
    }
  }
}

const keyOf = (bucket: string, perMinute: number): string => `${perMinute} ${bucket}`;
