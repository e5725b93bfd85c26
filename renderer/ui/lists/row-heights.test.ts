import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RowHeights } from './row-heights.ts';

test('positions, rows at an offset and the total are those of the plain sums, also after heights change', () => {
  const height = fc.integer({ min: 1, max: 300 });
  const changes = fc.array(fc.tuple(fc.nat(), height));
  fc.assert(
    fc.property(fc.array(height, { minLength: 1, maxLength: 70 }), changes, fc.nat(), (heights, later, somewhere) => {
      const rows = new RowHeights(heights.length, (index) => heights[index] as number);
      for (const [at, changed] of later) {
        heights[at % heights.length] = changed;
        rows.setHeight(at % heights.length, changed);
      }
      const starts = heights.map((_, index) => heights.slice(0, index).reduce((sum, each) => sum + each, 0));
      const total = heights.reduce((sum, each) => sum + each, 0);
      const offset = somewhere % total;
      expect(heights.map((_, index) => rows.start(index))).toEqual(starts);
      expect(heights.map((_, index) => rows.height(index))).toEqual(heights);
      expect(rows.total).toBe(total);
      expect(rows.indexAt(offset)).toBe(starts.findLastIndex((start) => start <= offset));
    }),
  );
});

test('an offset outside the rows is at the nearest one', () => {
  const rows = new RowHeights(3, () => 10);
  expect([-5, 0, 9, 10, 29, 30, 500].map((offset) => rows.indexAt(offset))).toEqual([0, 0, 0, 1, 2, 2, 2]);
  expect(new RowHeights(0, () => 10).indexAt(0)).toBe(-1);
  expect(new RowHeights(0, () => 10).total).toBe(0);
});
