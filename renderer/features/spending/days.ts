import type { Spending } from '../../../shared/contract/viewer/spending.ts';

/** Starts of the last days in local time, and the end of today: one more than there are days. */
export function edgesOf(days: number, now: Date): number[] {
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()];
  return Array.from({ length: days + 1 }, (_, at) => new Date(year, month, day - days + 1 + at).getTime());
}

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** `2026-11-29` in local time. */
export function dayOf(ms: number): string {
  const at = new Date(ms);
  return `${at.getFullYear()}-${twoDigits(at.getMonth() + 1)}-${twoDigits(at.getDate())}`;
}

/** Cost of each day, 0 for those without calls. */
export function costsOf(edges: readonly number[], days: Spending['days']): number[] {
  const costs = new Map(days.map(({ day, cost }) => [day, cost]));
  return edges.slice(0, -1).map((start) => costs.get(dayOf(start)) ?? 0);
}
