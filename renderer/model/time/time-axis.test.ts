import fc from 'fast-check';
import { expect, it } from 'vitest';
import { aSpan } from '../../fixtures/a-span.ts';
import { aTree } from '../../fixtures/an-outline.ts';
import { selfParts } from '../trace/self-parts.ts';
import { ticks } from './ticks.ts';

const labels = (from: number, to: number, most: number) => ticks(from, to, most).map(({ label }) => label);

it('places ticks at round times in the unit that fits', () => {
  expect(labels(0, 1000, 5)).toEqual(['0', '200 ms', '400 ms', '600 ms', '800 ms', '1.0 s']);
  expect(labels(0, 10_000, 4)).toEqual(['0', '5 s', '10 s']);
  expect(labels(0, 3_600_000, 4)).toEqual(['0', '15 m 00 s', '30 m 00 s', '45 m 00 s', '1 h 00 m']);
  expect(labels(5, 5, 4)).toEqual([]);
});

it('never places more ticks than allowed, nor one outside the range', () => {
  const moment = fc.double({ min: 0, max: 1e9, noNaN: true });
  fc.assert(
    fc.property(moment, fc.double({ min: 1e-3, max: 1e9, noNaN: true }), fc.integer({ min: 1, max: 20 }), (from, width, most) => {
      const tickList = ticks(from, from + width, most);
      expect(tickList.length).toBeLessThanOrEqual(most + 1);
      for (const { at } of tickList) {
        expect(at).toBeGreaterThanOrEqual(from - width * 1e-6);
        expect(at).toBeLessThanOrEqual(from + width * (1 + 1e-6));
      }
    }),
  );
});

it('finds the parts of a span without its children', () => {
  const tree = aTree([
    aSpan({ id: 'root', duration_ms: 100 }),
    aSpan({ id: 'a', parent_id: 'root', at: 10, duration_ms: 30 }),
    aSpan({ id: 'b', parent_id: 'root', at: 20, duration_ms: 30 }),
    aSpan({ id: 'c', parent_id: 'root', at: 80, duration_ms: 50 }),
  ]);
  expect(selfParts(tree, 0, 0, 100, 0.1)).toEqual([
    { from: 0, to: 10 },
    { from: 50, to: 80 },
  ]);
  expect(selfParts(tree, 1, 0, 100, 50)).toEqual([{ from: 10, to: 40 }]);
});
