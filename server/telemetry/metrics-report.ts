/** The report on model calls (docs/reference/records.md#metrics) from their sums. */
import type { MetricsReport } from '../../shared/contract/tracing/metrics.ts';

/** Sums over model calls. */
export interface CallFigures {
  calls: number;
  errors: number;
  cost: number;
  tokens: number;
  input: number;
  output: number;
  duration_ns: number;
  /** Numbers of different ones. */
  users: number;
  models: number;
}

const hourMs = 3_600_000;

/**
 * @param hours by the hour since the epoch
 * @param extended adds the means and the number of models
 */
export function metricsReport(total: CallFigures, hours: ReadonlyMap<number, CallFigures>, extended: boolean): MetricsReport {
  const series = [...hours].sort(([a], [b]) => a - b).map(([hour, figures]) => bucketOf(hour, figures));
  return { summary: { ...summaryOf(total), ...(extended ? meansOf(total) : {}) }, time_series: series };
}

const mean = (sum: number, { calls }: CallFigures): number => (calls === 0 ? 0 : sum / calls);

/** Columns common to the hours and the total. */
const usageOf = (figures: CallFigures) => ({
  input_tokens: figures.input,
  output_tokens: figures.output,
  avg_latency_ms: mean(figures.duration_ns / 1e6, figures),
  unique_users: figures.users,
});

function bucketOf(hour: number, figures: CallFigures): MetricsReport['time_series'][number] {
  const at = new Date(hour * hourMs);
  const { calls, errors, cost, tokens } = figures;
  return {
    date: at.toISOString().slice(0, 10),
    hour: at.getUTCHours(),
    requests: calls,
    successes: calls - errors,
    errors,
    cost,
    tokens,
    ...usageOf(figures),
  };
}

const summaryOf = (figures: CallFigures): MetricsReport['summary'] => ({
  total_requests: figures.calls,
  success_count: figures.calls - figures.errors,
  error_count: figures.errors,
  total_cost: figures.cost,
  total_tokens: figures.tokens,
  ...usageOf(figures),
});

const meansOf = (figures: CallFigures): Partial<MetricsReport['summary']> => ({
  avg_cost_per_request: mean(figures.cost, figures),
  avg_input_tokens_per_request: mean(figures.input, figures),
  avg_output_tokens_per_request: mean(figures.output, figures),
  avg_total_tokens_per_request: mean(figures.tokens, figures),
  model_count: figures.models,
});
