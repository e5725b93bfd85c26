import { expect, it } from 'vitest';
import { Rate } from './forwarder.ts';

it('a rate is the average per second of the last ten seconds', () => {
  let now = 0;
  const rate = new Rate({ monotonic: () => now });
  rate.count(100);
  expect(rate.perSecond).toBe(10);
  now = 9_999;
  rate.count(50);
  expect(rate.perSecond).toBe(15);
  now = 10_000;
  expect(rate.perSecond).toBe(5);
});
