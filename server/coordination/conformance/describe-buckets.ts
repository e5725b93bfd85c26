/** What token buckets promise, wherever they are kept. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BucketStore, RateLimitStatus } from '../bucket-store.ts';

export interface BucketsUnderTest {
  buckets: BucketStore;
  /** Lets time pass for buckets. It may pass by itself as well. */
  elapse(ms: number): Promise<void>;
  stop(): Promise<void>;
}

export const isAllowed = ({ retryAfterSeconds }: RateLimitStatus): boolean => retryAfterSeconds === null;

export const countAllowed = async (takes: readonly Promise<RateLimitStatus>[]): Promise<number> =>
  (await Promise.all(takes)).filter(isAllowed).length;

export const times = <T>(count: number, work: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => work(index));

export function describeBuckets(where: string, open: () => Promise<BucketsUnderTest>): void {
  describe(`token buckets ${where}`, () => {
    let under: BucketsUnderTest;
    let buckets: BucketStore;
    let names = 0;
    const aBucket = () => `bucket ${++names}`;
    const takeAll = async (bucket: string, limit: number) => {
      for (let taken = 0; taken < limit; taken++) await buckets.take(bucket, limit);
    };
    beforeAll(async () => {
      under = await open();
      buckets = under.buckets;
    });
    afterAll(() => under.stop());

    it('allow as many requests as the limit, count down, and say when the next one is allowed', async () => {
      const bucket = aBucket();
      const began = performance.now();
      const passedSeconds = () => Math.ceil((performance.now() - began) / 1000);
      for (let left = 9; left >= 0; left--) {
        const status = await buckets.take(bucket, 10);
        expect(status).toEqual({ limit: 10, remaining: left, resetSeconds: expect.any(Number), retryAfterSeconds: null });
        expect(Math.abs(status.resetSeconds - (10 - left) * 6)).toBeLessThanOrEqual(passedSeconds());
      }
      const status = await buckets.take(bucket, 10);
      expect(status).toMatchObject({ limit: 10, remaining: 0 });
      expect(6 - (status.retryAfterSeconds ?? 0)).toBeLessThanOrEqual(passedSeconds());
      expect(60 - status.resetSeconds).toBeLessThanOrEqual(passedSeconds());
    });

    it('are refilled evenly', async () => {
      const bucket = aBucket();
      await takeAll(bucket, 10);
      await under.elapse(4_000);
      expect(await countAllowed([buckets.take(bucket, 10)])).toBe(0);
      await under.elapse(2_000);
      expect(await countAllowed(times(3, () => buckets.take(bucket, 10)))).toBe(1);
      await under.elapse(18_000);
      expect(await countAllowed(times(10, () => buckets.take(bucket, 10)))).toBe(3);
    });

    it('count within another time than a minute', async () => {
      const bucket = aBucket();
      const takeFive = () => countAllowed(times(5, () => buckets.take(bucket, 4, 3_600_000)));
      expect(await takeFive()).toBe(4);
      expect(await buckets.take(bucket, 4, 3_600_000)).toMatchObject({ limit: 4, remaining: 0, retryAfterSeconds: expect.any(Number) });
      await under.elapse(60_000);
      expect(await takeFive()).toBe(0);
      await under.elapse(30 * 60_000);
      expect(await takeFive()).toBe(2);
      await under.elapse(7_200_000);
      expect(await takeFive()).toBe(4);
    });

    it('hold a minute’s worth at most', async () => {
      const bucket = aBucket();
      await buckets.take(bucket, 10);
      await under.elapse(600_000);
      expect(await countAllowed(times(25, () => buckets.take(bucket, 10)))).toBe(10);
    });

    it('allow no more when requests come at the same time', async () => {
      const bucket = aBucket();
      expect(await countAllowed(times(25, () => buckets.take(bucket, 5)))).toBe(5);
    });

    it('take a token back', async () => {
      const bucket = aBucket();
      await takeAll(bucket, 10);
      expect(await countAllowed([buckets.take(bucket, 10)])).toBe(0);
      await buckets.putBack(bucket, 10);
      expect(await countAllowed(times(2, () => buckets.take(bucket, 10)))).toBe(1);
      await buckets.putBack(aBucket(), 10);
    });

    it('do not affect each other, whatever their names', async () => {
      const bucket = aBucket();
      await takeAll(bucket, 5);
      for (const other of [`${bucket} `, `${bucket}\0`, '\0', '', 'x'.repeat(100_000), '\ud800'])
        expect(await buckets.take(other, 5)).toMatchObject({ remaining: 4, retryAfterSeconds: null });
    });

    it('know the latest status without taking a token', async () => {
      const bucket = aBucket();
      const full = { limit: 10, remaining: 10, resetSeconds: 0, retryAfterSeconds: null };
      expect(buckets.lastKnown(bucket, 10)).toEqual(full);
      await buckets.take(bucket, 10);
      expect([buckets.lastKnown(bucket, 10).remaining, buckets.lastKnown(bucket, 10).remaining]).toEqual([9, 9]);
    });

    it.each([1, 7, 60, 1000, 60_000])(
      'of %i a minute allow a minute’s worth and one minute’s refill in a minute of too many requests',
      async (limit) => {
        const bucket = aBucket();
        const began = performance.now();
        let allowed = 0;
        for (let second = 0; second < 60; second++) {
          allowed += await countAllowed(times(Math.ceil(limit / 20), () => buckets.take(bucket, limit)));
          await under.elapse(1_000);
        }
        const byItself = ((performance.now() - began) / 60_000) * limit;
        expect(allowed).toBeLessThanOrEqual(2 * limit + byItself + 1);
        expect(allowed).toBeGreaterThanOrEqual(2 * limit - Math.ceil(limit / 20) - 1);
      },
    );
  });
}
