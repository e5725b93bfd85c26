/** The time that the dashboard shows, in equal steps. */
import type { DashboardView, Range } from './url.ts';

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

const names: Record<Range, string> = { '1h': 'hour', '24h': '24 hours', '7d': '7 days', '30d': '30 days', '90d': '90 days' };

const chosenSteps = 60;

export interface Period {
  /** Epoch milliseconds; inclusive and exclusive. */
  from: number;
  to: number;
  steps: number;
}

/** A range up to now ends with the current step, so that its edges do not move every second. */
export function periodOf({ range = '24h', from, to }: DashboardView, nowMs: number): Period {
  if (from !== undefined && to !== undefined) return { from, to, steps: Math.min(chosenSteps, to - from) };
  const { stepMs, steps } = stepOf[range];
  const end = (Math.floor(nowMs / stepMs) + 1) * stepMs;
  return { from: end - steps * stepMs, to: end, steps };
}

/** The same length before; null where it would begin before 1970. */
export function periodBefore({ from, to, steps }: Period): Period | null {
  const start = from - (to - from);
  return start < 0 ? null : { from: start, to: from, steps };
}

export const edgesOf = ({ from, to, steps }: Period): number[] =>
  Array.from({ length: steps + 1 }, (_, i) => Math.round(from + ((to - from) * i) / steps));

/** One entry for each step, oldest first; null for an empty one. */
export function bySteps<T extends { at: number }>({ from, to, steps }: Period, some: readonly T[]): (T | null)[] {
  const slots: (T | null)[] = Array.from({ length: steps }, () => null);
  for (const each of some) {
    const step = Math.round(((each.at - from) / (to - from)) * steps);
    if (step >= 0 && step < steps) slots[step] = each;
  }
  return slots;
}

/** `the hour before`, `the 90 days before`, `the same time before`. */
export const beforeWords = ({ range = '24h', from }: DashboardView): string =>
  from === undefined ? `the ${names[range]} before` : 'the same time before';

/** `in the last hour`, `in this time`. */
export const withinWords = ({ range = '24h', from }: DashboardView): string =>
  from === undefined ? `in the last ${names[range]}` : 'in this time';

/** So much of a range may be empty before its first trace; of one with more the charts begin there. */
const emptyShareMax = 0.5;

/** From the first trace on, if there is nothing in most of the period before it. */
export function periodWithData(period: Period, firstMs: number | undefined): Period {
  const { from, to, steps } = period;
  if (firstMs === undefined || firstMs - from <= (to - from) * emptyShareMax || to - firstMs < steps) return period;
  return { from: firstMs, to, steps };
}
