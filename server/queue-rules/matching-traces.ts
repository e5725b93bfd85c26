/** Which traces a rule selects: those that its filter matches, or a share of them. */
import { createHash } from 'node:crypto';
import type { RulePreview } from '../../shared/contract/evaluation/queue-rules.ts';
import type { Filter } from '../../shared/filter/filter-tree.ts';
import { parseFilterText } from '../../shared/filter/parse-text.ts';
import type { Scope } from '../platform/scope.ts';
import type { SearchReader, Window } from '../telemetry/search-reader.ts';

const pageSize = 500;
/** Traces of a preview that are looked at one by one. */
const previewedMax = 5000;

const everyTrace: Filter = { clauses: [] };

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
  total: number;
  /** Start of the last trace looked at; null when there are no more. */
  next_ms: number | null;
}

/** One page of the matching traces. @param endedBeforeMs others may still change, and are left out */
export async function selectedTraces(
  search: SearchReader,
  scope: Scope,
  { queueId, filter, sample_percent }: Selection,
  window: Window,
  { offset = 0, endedBeforeMs = Number.POSITIVE_INFINITY } = {},
): Promise<FoundTraces> {
  const order = { sort_by: 'start_time', sort_order: 'asc', bookkeeping: 'exclude', limit: pageSize, offset } as const;
  const page = await search.traces(scope, { ...order, window, filter });
  const found = page.data.decode();
  const selected = found.filter(({ id, end }) => Date.parse(end) < endedBeforeMs && isSampled(queueId, id, sample_percent));
  const last = found.at(-1);
  return {
    ids: selected.map(({ id }) => id),
    total: page.total,
    next_ms: last && found.length === pageSize ? Date.parse(last.start) : null,
  };
}

/** What a rule would have added; for many traces by the size of the share. */
export async function previewOf(search: SearchReader, scope: Scope, selection: Selection, window: Window): Promise<RulePreview> {
  const first = await selectedTraces(search, scope, selection, window);
  const { total } = first;
  if (selection.sample_percent === 100) return { matching: total, sampled: total, is_estimate: false };
  if (total > previewedMax) return { matching: total, sampled: Math.round((total * selection.sample_percent) / 100), is_estimate: true };
  let sampled = first.ids.length;
  for (let offset = pageSize; offset < total; offset += pageSize)
    sampled += (await selectedTraces(search, scope, selection, window, { offset })).ids.length;
  return { matching: total, sampled, is_estimate: false };
}
