/** Time steps of a range with their totals. Steps without traces are included. */
import type { ActivityBucket, ActivityGroup } from '../../../shared/contract/viewer/viewer-statistics.ts';
import type { Range } from './url.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Steps are round numbers of minutes, hours or days. */
const stepOf: Record<Range, { stepMs: number; steps: number }> = {
  '1h': { stepMs: minuteMs, steps: 60 },
  '24h': { stepMs: 20 * minuteMs, steps: 72 },
  '7d': { stepMs: 2 * hourMs, steps: 84 },
  '30d': { stepMs: 12 * hourMs, steps: 60 },
  '90d': { stepMs: dayMs, steps: 90 },
};

export interface Span {
  from: number;
  to: number;
  steps: number;
}

/** Range that ends with the current step, so that its edges do not move every second. */
export function spanOf(range: Range, now: number): Span {
  const { stepMs, steps } = stepOf[range];
  const to = (Math.floor(now / stepMs) + 1) * stepMs;
  return { from: to - steps * stepMs, to, steps };
}

export const edgesOf = ({ from, to, steps }: Span): number[] =>
  Array.from({ length: steps + 1 }, (_, i) => Math.round(from + ((to - from) * i) / steps));

/** One entry for each step, oldest first; null for an empty one. */
export function bySteps({ from, to, steps }: Span, buckets: readonly ActivityBucket[]): (ActivityBucket | null)[] {
  const slots: (ActivityBucket | null)[] = Array.from({ length: steps }, () => null);
  for (const bucket of buckets) {
    const step = Math.round(((Date.parse(bucket.at) - from) / (to - from)) * steps);
    if (step >= 0 && step < steps) slots[step] = bucket;
  }
  return slots;
}

export interface GroupTotal extends ActivityGroup {
  id: string;
  /** Cost in each step, or calls if no group has a cost. */
  series: number[];
}

/** Totals of each model or prompt over the range, the most expensive first. */
export function groupTotals(steps: readonly (ActivityBucket | null)[]): GroupTotal[] {
  const totals = new Map<string, GroupTotal>();
  const isPriced = steps.some((step) => step?.groups.some(({ cost }) => cost > 0));
  steps.forEach((step, i) => {
    for (const group of step?.groups ?? []) {
      const { name, calls, errors, input_tokens, output_tokens, cost } = group;
      let sum = totals.get(name);
      if (!sum) {
        sum = { id: name || ' ', name, calls: 0, errors: 0, input_tokens: 0, output_tokens: 0, cost: 0, series: steps.map(() => 0) };
        totals.set(name, sum);
      }
      sum.calls += calls;
      sum.errors += errors;
      sum.input_tokens += input_tokens;
      sum.output_tokens += output_tokens;
      sum.cost += cost;
      sum.series[i] = isPriced ? cost : calls;
    }
  });
  return [...totals.values()].sort((a, b) => b.cost - a.cost || b.calls - a.calls);
}

type Summed = 'traces' | 'errors' | 'errors_inside' | 'spans' | 'input_tokens' | 'output_tokens' | 'cost';

export const sumOf = (steps: readonly (ActivityBucket | null)[], of: Summed): number =>
  steps.reduce((sum, step) => sum + (step?.[of] ?? 0), 0);
