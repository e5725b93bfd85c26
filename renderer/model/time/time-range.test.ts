import { expect, it } from 'vitest';
import { boundsOf, rangeLabel } from './time-range.ts';

it('a recent range moves with the clock, a fixed one stays', () => {
  expect(boundsOf({ last: '1h' }, 10_000_000)).toEqual({ from: 6_400_000 });
  expect(boundsOf({ from: 5, to: 9 }, 10_000_000)).toEqual({ from: 5, to: 9 });
  expect(boundsOf({}, 1)).toEqual({});
});

it('describes the range', () => {
  expect(rangeLabel({})).toBe('All time');
  expect(rangeLabel({ last: '7d' })).toBe('Last 7 days');
  expect(rangeLabel({ from: 0, to: 1 }, new Date(0))).toMatch(/ – /);
  expect(rangeLabel({ to: 0 }, new Date(0))).toMatch(/^before /);
});
