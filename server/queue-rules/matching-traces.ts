/** Which traces a rule selects: those that its filter matches, or a share of them. */
import { createHash } from 'node:crypto';
import type { RulePreview } from '../../shared/contract/evaluation/queue-rules.ts';
import type { Filter } from '../../shared/filter/filter-tree.ts';
import { parseFilterText } from '../../shared/filter/parse-text.ts';
import type { Scope } from '../platform/scope.ts';
import type { SearchReader, Window } from '../telemetry/search-reader.ts';

export const pageSize = 500;
/** Traces of a preview that are looked at one by one. */
const previewedMax = 5000;

export const everyTrace: Filter = { clauses: [] };

/** @throws FilterError */
export const ruleFilter = (text: string): Filter => (text.trim() === '' ? everyTrace : parseFilterText('traces', text));

/** The same for every look at a trace, so that a share stays one. */
export function isSampled(queueId: string, traceId: string, percent: number): boolean {
  const hash = createHash('sha256').update(`${queueId}/${traceId}`).digest();
  return hash.readUInt32BE(0) / 2 ** 32 < percent / 100;
}

export interface Selection {
  queueId: string;
  filter: Filter;
  sample_percent: number;
}

export interface FoundTraces {
  /** Selected traces that have ended, oldest first. */
  ids: string[];
  /** Of the window, whether they have ended or not. */
  total: number;
  /** False when a filter on contents was not applied to all traces of the window. */
  isComplete: boolean;
  isLastPage: boolean;
}

export type StateReader = Pick<SearchReader, 'states'>;

/** One page of the matching traces of a window, whose end is not included. @param endedBeforeMs others may still change, and are left out */
export async function selectedTraces(
  search: StateReader,
  scope: Scope,
  { queueId, filter, sample_percent }: Selection,
  window: Window,
  { offset = 0, endedBeforeMs = null as number | null } = {},
): Promise<FoundTraces> {
  const order = { sort_by: 'start_time', sort_order: 'asc', bookkeeping: 'exclude', limit: pageSize, offset } as const;
  const { data, total, totalIsLowerBound } = await search.states(scope, { ...order, ...window, filter });
  const found = data.decode();
  const ended = endedBeforeMs === null ? found : found.filter(({ is_running, end_ms }) => !is_running && end_ms < endedBeforeMs);
  const ids = ended.map(({ id }) => id).filter((id) => isSampled(queueId, id, sample_percent));
  return { ids, total, isComplete: totalIsLowerBound !== true, isLastPage: found.length < pageSize };
}

/** What a rule would have added; for many traces by the size of the share. */
export async function previewOf(search: StateReader, scope: Scope, selection: Selection, window: Window): Promise<RulePreview> {
  const first = await selectedTraces(search, scope, selection, window);
  const { total } = first;
  const known = { matching: total, is_lower_bound: !first.isComplete };
  if (selection.sample_percent === 100) return { ...known, sampled: total, is_estimate: false };
  if (total > previewedMax) return { ...known, sampled: Math.round((total * selection.sample_percent) / 100), is_estimate: true };
  let sampled = first.ids.length;
  for (let offset = pageSize; offset < total; offset += pageSize)
    sampled += (await selectedTraces(search, scope, selection, window, { offset })).ids.length;
  return { ...known, sampled, is_estimate: false };
}
