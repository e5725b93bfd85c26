import { expect, test } from 'vitest';
import { drain, drainMessage } from './drain.ts';

test('shows how many requests are left until all are done', async () => {
  const messages: string[] = [];
  const stopped = Promise.withResolvers<void>();
  const counts = [3, 3, 1];
  const working = () => {
    if (counts.length === 0) stopped.resolve();
    return counts.shift() ?? 0;
  };
  expect(await drain({ stop: () => stopped.promise, working }, (text) => messages.push(text))).toBe(true);
  expect(messages).toEqual([drainMessage(3), drainMessage(1), drainMessage(0)]);
  expect(drainMessage(1)).toBe('Glasshouse: finishing 1 request');
});

test('gives up after the time limit', async () => {
  expect(await drain({ stop: () => new Promise(() => {}), working: () => 1 }, () => {}, 150)).toBe(false);
});

test('an error of stopping the gateway is passed on', async () => {
  await expect(drain({ stop: async () => Promise.reject(new Error('disk')), working: () => 0 }, () => {})).rejects.toThrow('disk');
});
