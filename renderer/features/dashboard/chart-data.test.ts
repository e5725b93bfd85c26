import { expect, it } from 'vitest';
import type { Activity, ActivityGroup, ActivityStep } from '../../../shared/contract/viewer/activity.ts';
import type { Shown } from './activity-query.ts';
import { addedUpCost, chartOf } from './chart-data.ts';

const period = { from: 3000, to: 6000, steps: 3 };

const aStep = (at: number, some: Partial<ActivityStep> = {}): ActivityStep => ({
  ...{ at, traces: 40, errors: 0, errors_inside: 0, spans: 40, cost: 1, input_tokens: 100, output_tokens: 10 },
  ...{ cache_read_tokens: 60, cache_write_tokens: 0, p50_ms: 1, p95_ms: 2 },
  ...{ first_tokens: 0, first_token_p50_ms: null, first_token_p95_ms: null },
  ...some,
});
const aGroup = (name: string, cost: number): ActivityGroup => ({
  ...{ name, count: 1, errors: 0, errors_inside: 0, p50_ms: 1, p95_ms: 1, first_tokens: 0, first_token_p50_ms: null },
  ...{ input_tokens: 0, output_tokens: 0, cache_read_tokens: 0, cost, series: [cost, 0, 0] },
});
const anActivity = (steps: ActivityStep[], groups: ActivityGroup[] = []): Activity => {
  const { at: _, ...totals } = steps[0] ?? aStep(0);
  return { totals, steps, groups, more: 0, traces: null, is_whole: true, counted_from: null };
};
const shown = (activity: Activity, before: Activity | null = null): Shown => ({ activity, before, period, shown: period, view: {} });

it('traces are in three parts that add up to all of them', () => {
  const { series } = chartOf('traces', shown(anActivity([aStep(4000, { errors: 3, errors_inside: 5 })])));
  expect(series.map(({ name, values }) => [name, values])).toEqual([
    ['no errors', [null, 32, null]],
    ['errors inside', [null, 5, null]],
    ['failed', [null, 3, null]],
  ]);
});

it('cached tokens are apart from the other input', () => {
  const { series, value } = chartOf('tokens', shown(anActivity([aStep(3000)])));
  expect(series.map(({ values }) => values[0])).toEqual([60, 40, 10]);
  expect(value).toBe('110');
});

it('the percentile of the period before is at the same steps, unless it was small', () => {
  const names = (before: Activity) => chartOf('latency', shown(anActivity([aStep(3000)]), before)).series.map(({ name }) => name);
  expect(names(anActivity([aStep(1000)]))).toEqual(['p95 before', 'p95', 'p50']);
  expect(chartOf('latency', shown(anActivity([]), anActivity([aStep(1000, { p95_ms: 7 })]))).series[0]?.values).toEqual([null, 7, null]);
  expect(names(anActivity([aStep(1000, { traces: 4 })]))).toEqual(['p95', 'p50']);
});

it('cost is stacked by the three most expensive and the others, where each has its cost once', () => {
  const activity = anActivity([aStep(3000, { cost: 10 })], [aGroup('a', 4), aGroup('b', 3), aGroup('c', 2), aGroup('d', 1)]);
  const { title, series } = chartOf('cost', shown(activity));
  expect(title).toBe('Cost by model');
  expect(series.map(({ name, values }) => [name, values[0]])).toEqual([
    ['a', 4],
    ['b', 3],
    ['c', 2],
    ['others', 1],
  ]);
  expect(chartOf('cost', { ...shown(activity), view: { by: 'tag' } }).series.map(({ name }) => name)).toEqual(['cost']);
});

it('cost is added up over steps without traces too', () => {
  const { series } = addedUpCost(shown(anActivity([aStep(3000), aStep(5000)]), anActivity([aStep(0, { cost: 5 })])));
  expect(series.map(({ values }) => values)).toEqual([
    [1, 1, 2],
    [5, 5, 5],
  ]);
});
