import { type AlertRule, triggersBelow } from '../../shared/contract/operations/alert-draft.ts';
import type { Alert } from '../control/alert-store.ts';
import { must } from '../platform/assert.ts';
import type { RequestSums, ScoreSums, WatchedWindow, WindowReader } from '../telemetry/window-reader.ts';

const minuteMs = 60_000;

type RequestMetric = Exclude<Alert['metric'], 'runaway_runs' | 'evaluation_score'>;

const ofRequests: Record<RequestMetric, (sums: RequestSums) => number> = {
  error_rate: ({ errors, count }) => (100 * errors) / count,
  latency: ({ latency_ms, count }) => latency_ms / count,
  cost: ({ cost }) => cost,
  model_calls: ({ count }) => count,
};

/** Null without calls, unless they are what is counted. */
export const ofCalls = (metric: RequestMetric, sums: RequestSums): number | null =>
  sums.count === 0 && metric !== 'model_calls' ? null : ofRequests[metric](sums);

/** Current value of an alert's metric, in percent, milliseconds, US dollars, runs, calls, or as a score. Null without data. */
export async function measure(windows: WindowReader, alert: Alert, environment: string | null, nowMs: number): Promise<number | null> {
  const scope = { tenant_id: alert.tenant_id, app_id: alert.app_id };
  const window: WatchedWindow = { from_ms: nowMs - alert.time_window * minuteMs, to_ms: nowMs, environment };
  if (alert.metric === 'runaway_runs') return (await windows.runaways(scope, window)).decode();
  if (alert.metric !== 'evaluation_score') {
    return ofCalls(alert.metric, (await windows.requests(scope, window)).decode());
  }
  const name = must(alert.evaluation_name, 'an alert on a score names it');
  return ofScores(alert, (await windows.scores(scope, window, name)).decode());
}

/** `individual`: the score furthest beyond the threshold. */
export const ofScores = (
  { evaluation_aggregation, evaluation_threshold_direction }: AlertRule,
  { mean, min, max }: ScoreSums,
): number | null => {
  if (evaluation_aggregation === 'avg') return mean;
  return evaluation_threshold_direction === 'below' ? min : max;
};

export const isBeyond = (rule: AlertRule, value: number): boolean =>
  triggersBelow(rule) ? value < rule.threshold : value > rule.threshold;
