import { expect, it } from 'vitest';
import type { ActivityBucket } from '../../../shared/contract/viewer/viewer-statistics.ts';
import { bySteps, edgesOf, groupTotals, spanOf, sumOf } from './activity.ts';

const now = Date.UTC(2026, 0, 15, 10, 7, 30);

const bucket = (at: number, traces: number, groups: [name: string, cost: number][] = []): ActivityBucket => ({
  at: new Date(at).toISOString(),
  traces,
  errors: 0,
  errors_inside: 0,
  spans: traces,
  input_tokens: 0,
  output_tokens: 0,
  cost: 0,
  p50_ms: 1,
  p95_ms: 1,
  p99_ms: 1,
  groups: groups.map(([name, cost]) => ({ name, calls: 1, errors: 0, input_tokens: 2, output_tokens: 3, cost })),
});

it('a range ends with the current step, and its edges do not move within a step', () => {
  const span = spanOf('24h', now);
  expect(span).toEqual({ from: Date.UTC(2026, 0, 14, 10, 20), to: Date.UTC(2026, 0, 15, 10, 20), steps: 72 });
  expect(spanOf('24h', now + 60_000)).toEqual(span);
  expect(edgesOf(span)).toHaveLength(73);
});

it('every step has a position, including empty ones', () => {
  const span = spanOf('1h', now);
  const steps = bySteps(span, [bucket(span.to - 60_000, 5), bucket(span.from, 2)]);
  expect([steps.length, steps[0]?.traces, steps[1], steps[59]?.traces]).toEqual([60, 2, null, 5]);
  expect(sumOf(steps, 'traces')).toBe(7);
});

it('groups are summed over the steps, the most expensive first, with their values over time', () => {
  const span = spanOf('1h', now);
  const steps = bySteps(span, [
    bucket(span.from, 1, [['a', 1]]),
    bucket(span.from + 60_000, 1, [
      ['a', 2],
      ['b', 5],
    ]),
  ]);
  const groups = groupTotals(steps);
  expect(groups.map(({ name, calls, cost, input_tokens }) => [name, calls, cost, input_tokens])).toEqual([
    ['b', 1, 5, 2],
    ['a', 2, 3, 4],
  ]);
  expect(groups[1]?.series.slice(0, 3)).toEqual([1, 2, 0]);
});
