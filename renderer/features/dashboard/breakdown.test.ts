import { expect, it } from 'vitest';
import type { Activity, ActivityGroup } from '../../../shared/contract/viewer/activity.ts';
import { rowsOf, sortRows } from './breakdown.ts';

const aGroup = (name: string, some: Partial<ActivityGroup> = {}): ActivityGroup => ({
  ...{ name, count: 40, errors: 0, errors_inside: 0, p50_ms: 1, p95_ms: 2, first_tokens: 0, first_token_p50_ms: null },
  ...{ input_tokens: 0, output_tokens: 0, cache_read_tokens: 0, cost: 0, series: [] },
  ...some,
});
const anActivity = (groups: ActivityGroup[], traces = 100, more = 0) => ({ totals: { traces }, groups, more }) as unknown as Activity;
const changes = (before: Activity | null) =>
  rowsOf(anActivity([aGroup('a', { cost: 2 }), aGroup('b')]), before).map(({ name, change }) => [name, change]);

it('a row says what changed: its cost, or its count where it costs nothing', () => {
  expect(changes(anActivity([aGroup('a', { cost: 1 }), aGroup('b', { count: 50 })]))).toEqual([
    ['a', '+100 %'],
    ['b', '−20 %'],
  ]);
});

it('a row is new only if all rows of the period before are known, and nothing is compared with a few traces', () => {
  expect(changes(anActivity([aGroup('a', { cost: 2 })]))).toEqual([
    ['a', 'unchanged'],
    ['b', 'new'],
  ]);
  expect(changes(anActivity([], 100, 3))).toEqual([
    ['a', ''],
    ['b', ''],
  ]);
  expect(
    changes(anActivity([], 4))
      .concat(changes(null))
      .every(([, change]) => change === ''),
  ).toBe(true);
});

it('rows are sorted by any column, either way', () => {
  const rows = rowsOf(
    anActivity([aGroup('b', { errors: 4 }), aGroup('a', { errors_inside: 9, count: 90 }), aGroup('c', { count: 2 })]),
    null,
  );
  const names = (by: string, order: 'asc' | 'desc') =>
    sortRows(rows, { by, order })
      .map(({ name }) => name)
      .join('');
  expect([names('name', 'asc'), names('errors', 'desc'), names('count', 'asc'), names('p95', 'asc')]).toEqual(['abc', 'abc', 'cba', 'cab']);
  expect(sortRows(rows, null)).toBe(rows);
});
