/**
 * Search parameters of the traces list: conditions, sort order, and the trace in the side panel. Links may give a status, model, user,
 * session or tag as parameters of their own, as the public API does: they become conditions in the filter.
 */
import type { SearchSchemaInput } from '@tanstack/react-router';
import { z } from 'zod';
import { traceSortKeys } from '../../../shared/contract/tracing/traces.ts';
import { addClause, clausesOf, requiredValues, spellValue } from '../../model/filter/filter-text.ts';
import { readUrl, urlDate, urlFilter, urlMoment, urlOneOf, urlText, urlTexts } from '../../model/filter/url-shapes.ts';
import { boundsOf, recentRanges } from '../../model/time/time-range.ts';

const shape = z.object({
  filter: urlFilter,
  name: urlText,
  environment: urlText,
  dataset_run_id: urlText,
  commit_sha: urlText,
  last: urlOneOf(recentRanges),
  from: urlMoment,
  to: urlMoment,
  sort_by: urlOneOf(traceSortKeys),
  sort_order: urlOneOf(['asc', 'desc']),
  bookkeeping: urlOneOf(['include']),
  /** What is listed of the traces that the filter selects; the traces themselves if absent. */
  show: urlOneOf(['spans', 'errors']),
  peek: urlText,
});
export type TracesView = z.output<typeof shape>;

const publicShape = z.object({
  status: urlOneOf(['OK', 'ERROR']),
  model: urlText,
  user_id: urlText,
  session_id: urlText,
  tag: urlTexts,
  start_date: urlDate,
  end_date: urlDate,
});
/** Search parameters accepted from links. */
export type TracesLink = Omit<TracesView, 'environment'> & {
  /** Null for all, instead of that of the current page. */
  environment?: string | null | undefined;
} & z.output<typeof publicShape> &
  SearchSchemaInput;

const dayMs = 86_400_000;

export function readTracesUrl(search: unknown): TracesView {
  const view = readUrl(shape, search);
  const { tag, start_date, end_date, ...equal } = readUrl(publicShape, search);
  const conditions = Object.entries(equal).map(([field, value = '']) => `${field} = ${spellValue(value)}`);
  const tags = (tag ?? []).map((value) => `tags = ${spellValue(value)}`);
  if (tags.length > 0) conditions.push(tags.length > 1 ? `(${tags.join(' or ')})` : (tags[0] as string));
  const filter = [...(view.filter ? [view.filter] : []), ...conditions].join(' and ');
  if (filter) view.filter = filter;
  if (start_date) view.from ??= Date.parse(start_date);
  if (end_date) view.to ??= Date.parse(end_date) + dayMs;
  if (view.last) {
    delete view.from;
    delete view.to;
  }
  return view;
}

/** Conditions that have no filter field. */
export const plainConditions = ['name', 'environment', 'dataset_run_id', 'commit_sha'] as const;

/** API query of a view. A relative time range ends at `nowMs`. */
export function narrowingOf(
  { peek: _peek, show: _show, sort_by: _by, sort_order: _order, last, from, to, ...plain }: TracesView,
  nowMs: number,
) {
  return { ...plain, ...boundsOf({ last, from, to }, nowMs) };
}

/** Those of the listed traces that a filter selects, to be compared with good ones of the same names. */
export function comparisonOf(view: TracesView, group: string, nowMs: number) {
  const { filter = '', ...narrowing } = narrowingOf(view, nowMs);
  return { ...narrowing, a_filter: addClause(filter, group) };
}

/** Identifies a list: changes with every condition and the order, not with the side panel. */
export const listKeyOf = ({ peek: _, show: __, ...view }: TracesView) => JSON.stringify(view, Object.keys(view).sort());

export const isNarrowed = (view: TracesView) =>
  (['filter', 'last', 'from', 'to', ...plainConditions] as const).some((key) => view[key] !== undefined);

/** The user or session that a list selects, if it selects by nothing else. */
export function ownerOf({ filter = '', ...view }: TracesView): { field: 'user_id' | 'session_id'; value: string } | null {
  if (isNarrowed(view) || clausesOf(filter).length !== 1) return null;
  for (const field of ['user_id', 'session_id'] as const) {
    const [value, ...more] = requiredValues(filter, field);
    if (value !== undefined && more.length === 0) return { field, value };
  }
  return null;
}

/** A view with some parameters changed. */
export const changedView = (view: TracesView, change: { [K in keyof TracesView]?: TracesView[K] | undefined }): TracesView =>
  readTracesUrl({ ...view, ...change });

/** The first click sorts in the useful direction of the column, the second one reverses it. */
export function sortedBy(view: TracesView, by: string): TracesView {
  const { sort_by, sort_order } = currentSort(view);
  const first = by === 'name' ? 'asc' : 'desc';
  const order = sort_by !== by ? first : sort_order === 'asc' ? 'desc' : 'asc';
  const isDefault = by === 'start_time' && order === 'desc';
  return readTracesUrl({ ...view, sort_by: isDefault ? undefined : by, sort_order: isDefault ? undefined : order });
}

export const currentSort = ({ sort_by = 'start_time', sort_order = 'desc' }: TracesView) => ({ sort_by, sort_order });
