/** Values of an alert's condition over time, and when it held: what the evaluator would have found, once a minute. */
import { type AlertRule, triggersBelow } from '../../shared/contract/operations/alert-draft.ts';
import { type AlertSeries, periodsMax, seriesPointsMax } from '../../shared/contract/operations/alert-series.ts';
import { must } from '../platform/assert.ts';
import type { Scope } from '../platform/scope.ts';
import type { RequestSums, ScoreSums, WatchedWindow, WindowReader } from '../telemetry/window-reader.ts';
import { isBeyond, ofCalls, ofScores } from './measure.ts';

const minuteMs = 60_000;

interface SeriesQuery {
  /** Name of an environment; null for the whole app. */
  environment: string | null;
  /** Time of the last evaluation. */
  toMs: number;
  minutes: number;
}

/** A value for each minute from one window of minutes. */
type Measure = (from: number, to: number) => number | null;

export async function seriesOf(windows: WindowReader, scope: Scope, rule: AlertRule, query: SeriesQuery): Promise<AlertSeries> {
  const { environment, toMs, minutes } = query;
  const fromMs = toMs - minutes * minuteMs;
  const window: WatchedWindow = { from_ms: fromMs - rule.time_window * minuteMs, to_ms: toMs, environment };
  const measure = await measureOf(windows, scope, rule, window);
  // The evaluation at the end of a minute is of the whole window before.
  const values = Array.from({ length: minutes }, (_, minute) => measure(minute + 1, minute + 1 + rule.time_window));
  const periods = periodsOf(rule, values, fromMs);
  return {
    ...stepsOf(rule, values, fromMs),
    triggered: periods.length,
    triggered_ms: periods.reduce((sum, { from, to }) => sum + (to ?? toMs) - from, 0),
    periods: periods.slice(-periodsMax),
  };
}

async function measureOf(windows: WindowReader, scope: Scope, rule: AlertRule, window: WatchedWindow): Promise<Measure> {
  const { metric } = rule;
  if (metric === 'runaway_runs') {
    const found = byMinute((await windows.runawayMinutes(scope, window)).decode());
    return (from, to) => new Set(between(found, from, to).map(({ trace }) => trace)).size;
  }
  if (metric === 'evaluation_score') {
    const name = must(rule.evaluation_name, 'an alert on a score names it');
    const scores = byMinute((await windows.scoreMinutes(scope, window, name)).decode());
    return (from, to) => ofScores(rule, joined(between(scores, from, to)));
  }
  const calls = byMinute((await windows.requestMinutes(scope, window)).decode());
  return (from, to) => ofCalls(metric, added(between(calls, from, to)));
}

function byMinute<T extends { minute: number }>(rows: readonly T[]): ReadonlyMap<number, T[]> {
  return Map.groupBy(rows, ({ minute }) => minute);
}

function between<T>(rows: ReadonlyMap<number, T[]>, from: number, to: number): T[] {
  const found: T[] = [];
  for (let minute = from; minute < to; minute++) found.push(...(rows.get(minute) ?? []));
  return found;
}

function added(rows: readonly RequestSums[]): RequestSums {
  const sums: RequestSums = { count: 0, errors: 0, latency_ms: 0, cost: 0 };
  for (const { count, errors, latency_ms, cost } of rows) {
    sums.count += count;
    sums.errors += errors;
    sums.latency_ms += latency_ms;
    sums.cost += cost;
  }
  return sums;
}

function joined(rows: readonly ScoreSums[]): ScoreSums {
  const count = rows.reduce((sum, row) => sum + row.count, 0);
  if (count === 0) return { count, mean: null, min: null, max: null };
  // Weighted before they are added, because the largest numbers would overflow.
  const mean = rows.reduce((sum, row) => sum + (row.mean ?? 0) * (row.count / count), 0);
  return { count, mean, min: Math.min(...rows.flatMap(({ min }) => min ?? [])), max: Math.max(...rows.flatMap(({ max }) => max ?? [])) };
}

/** As the evaluator: without a value nothing changes, and every alert starts as resolved. */
function periodsOf(rule: AlertRule, values: readonly (number | null)[], fromMs: number): AlertSeries['periods'] {
  const periods: AlertSeries['periods'] = [];
  let open: AlertSeries['periods'][number] | null = null;
  for (const [minute, value] of values.entries()) {
    if (value === null || isBeyond(rule, value) === (open !== null)) continue;
    const atMs = fromMs + (minute + 1) * minuteMs;
    if (open) {
      open.to = atMs;
      open = null;
    } else {
      open = { from: atMs, to: null };
      periods.push(open);
    }
  }
  return periods;
}

/** At most so many steps that a chart can show them, each with the value most likely to trigger, so that no trigger is lost. */
function stepsOf(rule: AlertRule, values: readonly (number | null)[], fromMs: number): Pick<AlertSeries, 'from' | 'step_ms' | 'values'> {
  const minutes = Math.ceil(values.length / seriesPointsMax);
  const worst = triggersBelow(rule) ? Math.min : Math.max;
  const steps = Array.from({ length: Math.ceil(values.length / minutes) }, (_, step) => {
    const known = values.slice(step * minutes, (step + 1) * minutes).filter((value) => value !== null);
    return known.length === 0 ? null : worst(...known);
  });
  return { from: fromMs, step_ms: minutes * minuteMs, values: steps };
}
