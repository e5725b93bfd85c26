import { expect, it } from 'vitest';
import { bySteps, edgesOf, periodBefore, periodOf, periodWithData } from './period.ts';

const now = Date.UTC(2026, 0, 15, 10, 7, 30);

it('a range ends with the current step, and its edges do not move within a step', () => {
  const period = periodOf({ range: '24h' }, now);
  expect(period).toEqual({ from: Date.UTC(2026, 0, 14, 10, 20), to: Date.UTC(2026, 0, 15, 10, 20), steps: 72 });
  expect(periodOf({}, now + 60_000)).toEqual(period);
  expect(edgesOf(period)).toHaveLength(73);
});

it('chosen times are the range, and the period before has the same length', () => {
  const period = periodOf({ from: 7_200_000, to: 10_800_000 }, now);
  expect(period).toEqual({ from: 7_200_000, to: 10_800_000, steps: 60 });
  expect(periodBefore(period)).toEqual({ from: 3_600_000, to: 7_200_000, steps: 60 });
  expect(periodBefore({ ...period, from: 0 })).toBeNull();
  expect(periodOf({ from: 10, to: 12 }, now).steps).toBe(2);
});

it('every step has a place, also empty ones', () => {
  const period = periodOf({ range: '1h' }, now);
  const steps = bySteps(period, [{ at: period.from }, { at: period.to - 60_000 }]);
  expect([steps.length, steps[0]?.at, steps[1], steps[59]?.at]).toEqual([60, period.from, null, period.to - 60_000]);
});

it('charts begin at the first trace where most of the range before it is empty', () => {
  const period = { from: 0, to: 1000, steps: 10 };
  expect(periodWithData(period, 400)).toBe(period);
  expect(periodWithData(period, undefined)).toBe(period);
  expect(periodWithData(period, 900)).toEqual({ from: 900, to: 1000, steps: 10 });
});
