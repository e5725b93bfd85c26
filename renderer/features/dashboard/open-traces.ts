import { useNavigate } from '@tanstack/react-router';
import { addClause } from '../../model/filter/filter-text.ts';
import type { Period } from './period.ts';
import type { DashboardView } from './url.ts';

/** Search parameters of the traces that the dashboard counts in a stretch of time, with a further condition if any. */
export function tracesSearch({ filter, environment }: DashboardView, { from, to }: Pick<Period, 'from' | 'to'>, clause?: string) {
  const narrowed = clause === undefined ? filter : addClause(filter ?? '', clause);
  return { from, to, ...(narrowed !== undefined && { filter: narrowed }), ...(environment !== undefined && { environment }) };
}

export function useOpenTraces(view: DashboardView) {
  const navigate = useNavigate();
  return (time: Pick<Period, 'from' | 'to'>, clause?: string) => void navigate({ to: '/traces', search: tracesSearch(view, time, clause) });
}
