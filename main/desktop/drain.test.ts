import { expect, test } from 'vitest';
import { drain, finishing } from './drain.ts';

test('says how much is left until all of it is done', async () => {
  const told: string[] = [];
  const stopped = Promise.withResolvers<void>();
  const counts = [3, 3, 1];
  const working = () => {
    if (counts.length === 0) stopped.resolve();
    return counts.shift() ?? 0;
  };
  expect(await drain({ stop: () => stopped.promise, working }, (text) => told.push(text))).toBe(true);
  expect(told).toEqual([finishing(3), finishing(1), finishing(0)]);
  expect(finishing(1)).toBe('Glasshouse: finishing 1 request');
});

test('does not wait for ever', async () => {
  expect(await drain({ stop: () => new Promise(() => {}), working: () => 1 }, () => {}, 150)).toBe(false);
});

test('a gateway that cannot be stopped is an error', async () => {
  await expect(drain({ stop: async () => Promise.reject(new Error('disk')), working: () => 0 }, () => {})).rejects.toThrow('disk');
});
