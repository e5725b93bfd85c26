/**
 * Search parameters of the traces list: conditions, order, and the trace in the side panel. Addresses may name a status, model, user, session
 * or tag directly, as the public list does: they become conditions of the filter.
 */
import type { SearchSchemaInput } from '@tanstack/react-router';
import { z } from 'zod';
import { traceSortKeys } from '../../../shared/contract/tracing/traces.ts';
import { spellValue } from '../../model/filter/filter-text.ts';
import { readUrl, urlDate, urlOneOf, urlText, urlTexts } from '../../model/filter/url-shapes.ts';
import { boundsOf, recentRanges } from '../../model/time/time-range.ts';

const urlMoment = z.coerce.number().int().min(0).max(8e15).optional().catch(undefined);

const shape = z.object({
  filter: z.string().trim().min(1).max(32_768).optional().catch(undefined),
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
  peek: urlText,
});
export type TracesView = z.output<typeof shape>;

const short = z.object({
  status: urlOneOf(['OK', 'ERROR']),
  model: urlText,
  user_id: urlText,
  session_id: urlText,
  tag: urlTexts,
  start_date: urlDate,
  end_date: urlDate,
});
/** Search parameters accepted from links. */
export type TracesLink = TracesView & z.output<typeof short> & SearchSchemaInput;

const dayMs = 86_400_000;

export function readTracesUrl(search: unknown): TracesView {
  const view = readUrl(shape, search);
  const { tag, start_date, end_date, ...equal } = readUrl(short, search);
  const conditions = Object.entries(equal).map(([field, value = '']) => `${field} = ${spellValue(value)}`);
  const tags = (tag ?? []).map((each) => `tags = ${spellValue(each)}`);
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

/** Conditions without a filter field. */
export const plainConditions = ['name', 'environment', 'dataset_run_id', 'commit_sha'] as const;

/** Query for the gateway at this time. */
export function narrowingOf({ peek: _peek, sort_by: _by, sort_order: _order, last, from, to, ...plain }: TracesView, nowMs: number) {
  return { ...plain, ...boundsOf({ last, from, to }, nowMs) };
}

/** Changes when the list is another one. The side panel is no part of it. */
export const listKeyOf = ({ peek: _, ...view }: TracesView) => JSON.stringify(view, Object.keys(view).sort());

export const isNarrowed = (view: TracesView) =>
  (['filter', 'last', 'from', 'to', ...plainConditions] as const).some((key) => view[key] !== undefined);

/** Another filter or order is another list. */
export const changedView = (view: TracesView, change: { [K in keyof TracesView]?: TracesView[K] | undefined }): TracesView =>
  readTracesUrl({ ...view, ...change });

/** A first click sorts the way that is useful for the column, a second one turns it round. */
export function sortedBy(view: TracesView, by: string): TracesView {
  const { sort_by, sort_order } = currentSort(view);
  const first = by === 'name' ? 'asc' : 'desc';
  const order = sort_by !== by ? first : sort_order === 'asc' ? 'desc' : 'asc';
  const isDefault = by === 'start_time' && order === 'desc';
  return readTracesUrl({ ...view, sort_by: isDefault ? undefined : by, sort_order: isDefault ? undefined : order });
}

export const currentSort = ({ sort_by = 'start_time', sort_order = 'desc' }: TracesView) => ({ sort_by, sort_order });
