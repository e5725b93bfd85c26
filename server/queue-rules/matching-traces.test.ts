import { expect, it } from 'vitest';
import { isSampled } from './matching-traces.ts';

const ids = Array.from({ length: 10_000 }, (_, at) => at.toString(16).padStart(32, '0'));
const sampled = (queue: string, percent: number) => ids.filter((id) => isSampled(queue, id, percent));

it('a share has about its size, is the same at every look, and a larger share contains it', () => {
  const five = sampled('q', 5);
  expect(five.length).toBeGreaterThan(400);
  expect(five.length).toBeLessThan(600);
  expect(sampled('q', 5)).toEqual(five);
  const ten = new Set(sampled('q', 10));
  expect(five.every((id) => ten.has(id))).toBe(true);
  expect(sampled('q', 100)).toHaveLength(ids.length);
  expect(sampled('other', 5)).not.toEqual(five);
});
