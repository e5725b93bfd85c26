/** What of the traces list is in its address: filters, order and page, in the gateway's own words. */
import { z } from 'zod';
import { traceSortKeys } from '../../../shared/contract/traces.ts';
import { readUrl, urlDate, urlOneOf, urlPage, urlText, urlTexts } from '../../model/url-shapes.ts';

export const traceFilters = ['status', 'name', 'model', 'user_id', 'session_id', 'tag', 'start_date', 'end_date'] as const;
export type TraceFilter = (typeof traceFilters)[number];

const shape = z.object({
  status: urlOneOf(['OK', 'ERROR']),
  name: urlText,
  model: urlText,
  user_id: urlText,
  session_id: urlText,
  tag: urlTexts,
  start_date: urlDate,
  end_date: urlDate,
  sort_by: urlOneOf(traceSortKeys),
  sort_order: urlOneOf(['asc', 'desc']),
  page: urlPage,
});
export type TracesView = z.output<typeof shape>;

export const tracePageSize = 50;

export const readTracesUrl = (search: unknown): TracesView => readUrl(shape, search);

/** The view in the gateway's terms. */
export function tracesQuery({ page = 1, ...view }: TracesView) {
  return { ...view, limit: tracePageSize, offset: (page - 1) * tracePageSize };
}

export const isFiltered = (view: TracesView) => traceFilters.some((key) => view[key] !== undefined);

/** Another filter or order is another list: it begins on its first page. */
export function narrowed(view: TracesView, change: Partial<Record<keyof TracesView, unknown>>): TracesView {
  const { page: _, ...rest } = view;
  return readTracesUrl({ ...rest, ...change });
}

/** A first click sorts the way that is useful for the column, a second one turns it round. */
export function sortedBy(view: TracesView, by: (typeof traceSortKeys)[number]): TracesView {
  const { sort_by, sort_order } = currentSort(view);
  const first = by === 'name' ? 'asc' : 'desc';
  const order = sort_by !== by ? first : sort_order === 'asc' ? 'desc' : 'asc';
  const isDefault = by === 'start_time' && order === 'desc';
  return narrowed(view, isDefault ? { sort_by: undefined, sort_order: undefined } : { sort_by: by, sort_order: order });
}

export const currentSort = ({ sort_by = 'start_time', sort_order = 'desc' }: TracesView) => ({ sort_by, sort_order });
