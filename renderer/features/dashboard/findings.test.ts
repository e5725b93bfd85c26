import { expect, it } from 'vitest';
import type { ErrorGroup } from '../../../shared/contract/tracing/error-groups.ts';
import type { Activity, ActivityFigures, ActivityGroup, ActivityTrace } from '../../../shared/contract/viewer/activity.ts';
import { findingsOf } from './findings.ts';

const now = Date.UTC(2026, 0, 15, 12);
const iso = (hoursAgo: number) => new Date(now - hoursAgo * 3_600_000).toISOString();

const anError = (type: string, errors: number, firstHoursAgo = 100): ErrorGroup => ({
  ...{ type, message: 'no', name: 'web_search', kind: 'tool', errors, traces: errors, quiet_ms: 0, back_since: iso(1), trend: [] },
  ...{ first_seen: iso(firstHoursAgo), last_seen: iso(1), filter: `error contains ${type}` },
});
const aTrace = (id: string, some: Partial<ActivityTrace> = {}): ActivityTrace => ({
  ...{ id, name: `run ${id}`, at: now - 600_000, duration_ms: 1, has_failed: false, errors: 0, running: 0 },
  ...{ cost: 0.01, input_tokens: 0, output_tokens: 0, cache_read_tokens: 0 },
  ...some,
});
const aGroup = (name: string, cost: number, p95_ms: number): ActivityGroup => ({
  ...{ name, count: 100, errors: 0, errors_inside: 0, p50_ms: 1, p95_ms, first_tokens: 0, first_token_p50_ms: null },
  ...{ input_tokens: 0, output_tokens: 0, cache_read_tokens: 0, cost, series: [] },
});
const anActivity = (totals: Partial<ActivityFigures>, groups: ActivityGroup[] = [], traces: ActivityTrace[] | null = null) =>
  ({
    totals: { traces: 100, cost: 1, input_tokens: 100, cache_read_tokens: 80, ...totals },
    steps: [],
    groups,
    traces,
  }) as unknown as Activity;

function findings(activity: Activity, before: Activity | null, errors: ErrorGroup[] = []) {
  const period = { from: 0, to: now, steps: 10 };
  return findingsOf({ activity, before, period, shown: period, view: {} }, errors, now);
}

it('the failures come first, with when they were seen and a filter for their traces', () => {
  const [first, second] = findings(anActivity({}), null, [anError('RateLimitError', 41, 2), anError('Timeout', 3)]);
  expect(first).toMatchObject({ title: 'RateLimitError, web_search', size: '41', opens: { clause: 'error contains RateLimitError' } });
  expect(first?.note).toMatch(/^41 traces, first seen /);
  expect(second?.note).toMatch(/^3 traces, last seen /);
});

it('there are at most five lines, and errors leave room for other causes', () => {
  const many = Array.from({ length: 9 }, (_, at) => anError(`Error${at}`, 9 - at));
  expect(findings(anActivity({}), null, many)).toHaveLength(5);
  const traces = [aTrace('a', { running: 1 }), aTrace('b', { cost: 0.9 }), ...['c', 'd', 'e'].map((id) => aTrace(id))];
  expect(findings(anActivity({}, [], traces), null, many).map(({ id }) => id.slice(0, 7))).toEqual([
    'error w',
    'error w',
    'error w',
    'running',
    'costly',
  ]);
});

it('a model that costs more or is slower than before is named, with by how much', () => {
  const before = anActivity({}, [aGroup('gpt-5', 1, 2000), aGroup('o3', 1, 1000)]);
  expect(findings(anActivity({}, [aGroup('gpt-5', 1.5, 2000), aGroup('o3', 1, 3000)]), before)).toEqual([
    {
      id: 'dearer',
      kind: 'cost',
      title: 'gpt-5 costs 50 % more',
      note: '$1.00 before, $1.50 now',
      size: '+$0.500',
      opens: { clause: 'model = gpt-5' },
    },
    {
      id: 'slower',
      kind: 'slow',
      title: 'o3 is slower',
      note: 'p95 from 1.00 s to 3.00 s',
      size: '+2.00 s',
      opens: { clause: 'model = o3' },
    },
  ]);
});

it('a fall of the share of cached tokens is said, and nothing where the period before was small', () => {
  const worse = anActivity({ cache_read_tokens: 40 });
  expect(findings(worse, anActivity({})).map(({ note }) => note)).toEqual(['from 80 % to 40 % of input tokens']);
  expect(findings(worse, anActivity({ traces: 4 }))).toEqual([]);
});
