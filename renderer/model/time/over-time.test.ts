import { expect, it } from 'vitest';
import { barsOf, brushedRange, timeLabels } from './over-time.ts';

const bars = barsOf({ from: 1000, bucket_ms: 10, counts: [4, 0, 200, 1], errors: [4, 0, 0, 0], errors_inside: [0, 0, 50, 0], earlier: 0 });

it('heights are relative to the tallest bar, and a single trace is still visible', () => {
  expect(bars.map(({ height }) => height)).toEqual([0.06, 0, 1, 0.06]);
  expect(bars.map(({ errorHeight }) => errorHeight)).toEqual([0.06, 0, 0, 0]);
  expect(bars.map(({ errorsInsideHeight }) => errorsInsideHeight)).toEqual([0, 0, 0.25, 0]);
});

it('a brush selects whole bars, in either direction, and stops at the edges', () => {
  expect(brushedRange(bars, 0.3, 0.7)).toEqual({ from: 1010, to: 1030 });
  expect(brushedRange(bars, 0.7, 0.3)).toEqual({ from: 1010, to: 1030 });
  expect(brushedRange(bars, -1, 2)).toEqual({ from: 1000, to: 1040 });
  expect(brushedRange([], 0, 1)).toBeNull();
});

it('there are no more labels than fit', () => {
  expect(timeLabels(bars, 2).map(({ share }) => share)).toEqual([0, 0.5]);
  expect(timeLabels([], 2)).toEqual([]);
  // The last one would be cut off at the end.
  expect(timeLabels(bars.slice(0, 3), 2).map(({ share }) => share)).toEqual([0]);
});
