/** Sums of traces and calls, with their durations and times to first token. */
import type { ActivityFigures, ActivityGroup } from '../../../../shared/contract/viewer/activity.ts';
import { countable } from '../../trace-tree.ts';

/** Of traces. */
export class FigureSums {
  traces = 0;
  errors = 0;
  errors_inside = 0;
  spans = 0;
  cost = 0;
  input_tokens = 0;
  output_tokens = 0;
  cache_read_tokens = 0;
  cache_write_tokens = 0;
  readonly durationsNs: number[] = [];
  readonly firstTokensUs: number[] = [];

  result(): ActivityFigures {
    const { durationsNs, firstTokensUs, ...sums } = this;
    const durations = percentiles(durationsNs, 1e6);
    const firstTokens = percentiles(firstTokensUs, 1e3);
    return {
      ...sums,
      ...tokensOf(sums),
      cache_write_tokens: countable(sums.cache_write_tokens),
      ...{ p50_ms: durations.p50, p95_ms: durations.p95 },
      ...{ first_tokens: firstTokensUs.length, first_token_p50_ms: firstTokens.p50, first_token_p95_ms: firstTokens.p95 },
    };
  }
}

/** Of the calls or traces with one name. */
export class GroupSums {
  count = 0;
  errors = 0;
  errors_inside = 0;
  cost = 0;
  input_tokens = 0;
  output_tokens = 0;
  cache_read_tokens = 0;
  readonly durationsNs: number[] = [];
  readonly firstTokensUs: number[] = [];
  /** The step and the cost of each, because few groups need their sums in all steps. */
  readonly places: number[] = [];
  readonly costs: number[] = [];

  /** Counts one more. */
  add(step: number, cost: number, durationNs: number): void {
    this.count++;
    this.cost += cost;
    this.places.push(step);
    this.costs.push(cost);
    this.durationsNs.push(durationNs);
  }

  /** @param isPriced whether the series is of costs, otherwise of counts */
  result(name: string, steps: number, isPriced: boolean): ActivityGroup {
    const { durationsNs, firstTokensUs, places, costs, ...sums } = this;
    const durations = percentiles(durationsNs, 1e6);
    const series = Array.from({ length: steps }, () => 0);
    places.forEach((step, at) => {
      series[step] = (series[step] as number) + (isPriced ? (costs[at] as number) : 1);
    });
    return {
      name,
      ...sums,
      ...tokensOf(sums),
      ...{ p50_ms: durations.p50 ?? 0, p95_ms: durations.p95 ?? 0 },
      ...{ first_tokens: firstTokensUs.length, first_token_p50_ms: percentiles(firstTokensUs, 1e3).p50 },
      series,
    };
  }
}

type Tokens = Pick<ActivityFigures, 'input_tokens' | 'output_tokens' | 'cache_read_tokens'>;

const tokensOf = ({ input_tokens, output_tokens, cache_read_tokens }: Tokens): Tokens => ({
  input_tokens: countable(input_tokens),
  output_tokens: countable(output_tokens),
  cache_read_tokens: countable(cache_read_tokens),
});

/** By nearest rank, in milliseconds, so that each is the value of some trace or call; null without values. */
function percentiles(values: readonly number[], perMs: number): { p50: number | null; p95: number | null } {
  if (values.length === 0) return { p50: null, p95: null };
  const sorted = Float64Array.from(values).sort();
  const at = (share: number) => (sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] as number) / perMs;
  return { p50: at(0.5), p95: at(0.95) };
}
