import { expect, it } from 'vitest';
import { usualCharts } from './chart-data.ts';
import { knownCharts, moved } from './pinned-charts.ts';

it('unknown charts are left out, and each is shown once', () => {
  expect(knownCharts(['cost', 'gauge', 'cost', 'errors'])).toEqual(['cost', 'errors']);
  expect(knownCharts(null)).toBe(usualCharts);
  expect(knownCharts([])).toEqual([]);
});

it('a chart moves by one place', () => {
  expect(moved(['a', 'b', 'c'], 1, -1)).toEqual(['b', 'a', 'c']);
  expect(moved(['a', 'b', 'c'], 1, 1)).toEqual(['a', 'c', 'b']);
});
