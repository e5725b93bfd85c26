/** Rows of the table that breaks the figures down. */
import type { Activity, ActivityGroup } from '../../../shared/contract/viewer/activity.ts';
import type { ActivityBreakdown } from '../../../shared/contract/viewer/activity-shape.ts';
import { change, fewMax } from './comparison.ts';

/** Words and the field of filters of each breakdown. */
export const breakdowns: Record<ActivityBreakdown, { label: string; none: string; field: string; counted: 'Calls' | 'Traces' }> = {
  model: { label: 'Model', none: 'No model', field: 'model', counted: 'Calls' },
  prompt: { label: 'Prompt', none: 'No prompt', field: 'prompt_name', counted: 'Calls' },
  user: { label: 'User', none: 'No user', field: 'user_id', counted: 'Traces' },
  tool: { label: 'Tool', none: 'No name', field: 'tool', counted: 'Calls' },
  service: { label: 'Service', none: 'No service', field: 'service', counted: 'Traces' },
  tag: { label: 'Tag', none: 'Empty tag', field: 'tags', counted: 'Traces' },
};

export interface BreakdownRow extends ActivityGroup {
  /** `+12 %`, `new`; empty where it is not compared. */
  change: string;
  /** Share of the cost, or of the count, that was added; for sorting. */
  growth: number;
}

export const errorsOf = ({ errors, errors_inside }: ActivityGroup): number => errors + errors_inside;
export const tokensOf = ({ input_tokens, output_tokens }: ActivityGroup): number => input_tokens + output_tokens;

/** @param before null when it is not compared */
export function rowsOf({ groups }: Activity, before: Activity | null): BreakdownRow[] {
  const isCompared = before !== null && before.totals.traces > fewMax;
  const earlier = new Map(isCompared ? before.groups.map((group) => [group.name, group]) : []);
  return groups.map((group) => {
    const was = earlier.get(group.name);
    // One that is not among the groups of the period before may be among those left out there.
    if (!was) return { ...group, change: isCompared && before.more === 0 ? 'new' : '', growth: isCompared ? Number.POSITIVE_INFINITY : 0 };
    const [now, then] = group.cost > 0 && was.cost > 0 ? [group.cost, was.cost] : [group.count, was.count];
    return { ...group, change: change(now, then), growth: now / Math.max(then, Number.MIN_VALUE) - 1 };
  });
}

export interface BreakdownColumn {
  id: string;
  head: string;
  value: (row: BreakdownRow) => number;
}

/** Columns of numbers, by which the table can be sorted. */
export const breakdownColumns = (counted: string): BreakdownColumn[] => [
  { id: 'count', head: counted, value: ({ count }) => count },
  { id: 'errors', head: 'Errors', value: errorsOf },
  { id: 'rate', head: 'Rate', value: (row) => errorsOf(row) / row.count },
  { id: 'p50', head: 'p50', value: ({ p50_ms }) => p50_ms },
  { id: 'p95', head: 'p95', value: ({ count, p95_ms }) => (count > fewMax ? p95_ms : -1) },
  { id: 'first', head: 'First token', value: ({ first_token_p50_ms }) => first_token_p50_ms ?? -1 },
  { id: 'tokens', head: 'Tokens', value: tokensOf },
  { id: 'cost', head: 'Cost', value: ({ cost }) => cost },
  { id: 'change', head: 'Change', value: ({ growth }) => growth },
];

export interface BreakdownSort {
  by: string;
  order: 'asc' | 'desc';
}

/** Without a sort the rows stay as they are. */
export function sortRows(rows: readonly BreakdownRow[], sort: BreakdownSort | null): readonly BreakdownRow[] {
  if (sort === null) return rows;
  const sign = sort.order === 'asc' ? 1 : -1;
  if (sort.by === 'name') return rows.toSorted((a, b) => sign * (a.name < b.name ? -1 : 1));
  const value = breakdownColumns('').find(({ id }) => id === sort.by)?.value ?? (() => 0);
  return rows.toSorted((a, b) => sign * (value(a) - value(b)) || b.count - a.count);
}
