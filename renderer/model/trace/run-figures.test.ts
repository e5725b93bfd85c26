import { expect, it } from 'vitest';
import { median } from '../../../shared/median.ts';
import { runFigures } from './run-figures.ts';

const run = (latency_ms: number, cost: number, more: object = {}) => ({
  ...{ status: 'UNSET' as const, error_count: 0, latency_ms, cost, scores: [] as { name: string; score: number; label: string }[] },
  ...more,
});
const scored = (score: number) => ({ scores: [{ name: 'tone', score, label: '' }] });

it('sums what runs took, cost and scored; runs without a score do not lower its mean', () => {
  const runs = [run(10, 1, scored(0.5)), run(30, 3, { status: 'ERROR', error_count: 2 }), run(20, 2, { error_count: 1, ...scored(1) })];
  expect(runFigures(runs)).toEqual({ failed: 1, withErrors: 1, medianMs: 20, meanCost: 2, scores: new Map([['tone', 0.75]]) });
  expect(runFigures([])).toEqual({ failed: 0, withErrors: 0, medianMs: null, meanCost: null, scores: new Map() });
});

it('the median of an even number of values is the mean of the two in the middle', () => {
  expect(median([30, 10, 20])).toBe(20);
  expect(median([40, 10, 30, 20])).toBe(25);
  expect(median([8])).toBe(8);
  expect(median([])).toBeNull();
});
