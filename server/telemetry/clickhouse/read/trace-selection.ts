/** The traces that a deletion applies to. */
import type { Scope } from '../../../platform/scope.ts';
import { hasContent } from '../../filter-sql.ts';
import { StorageError } from '../../storage-error.ts';
import type { DeletionCount, TraceSelection } from '../../trace-deletions.ts';
import { partsOf } from '../parameter-lists.ts';
import type { TraceRow } from '../stored-rows.ts';
import { ofApp, type ReadContext, readIds } from './read-context.ts';
import { sql } from './sql.ts';
import { findTraces, traceConditions } from './trace-page.ts';

/** Above the number of traces of any store. */
const rowsMax = 2 ** 40;

const edges = `SELECT count() AS traces, min(listed_us) AS oldest, max(listed_us) AS newest FROM trace FINAL WHERE ${ofApp}`;
const sizes = `SELECT trace_id, span_count FROM trace FINAL WHERE ${ofApp} AND trace_id IN {ids:Array(String)}
  AND hour IN (SELECT hour FROM place FINAL WHERE ${ofApp} AND trace_id IN {ids:Array(String)})`;

/** Times of a list in milliseconds: from the first, before the second. */
type Range = [from: number, to: number];
export type SelectedTrace = Pick<TraceRow, 'trace_id' | 'span_count'>;

/** Those of a selection that lists show. */
export async function selectTraces(context: ReadContext, scope: Scope, selection: TraceSelection): Promise<SelectedTrace[]> {
  const ids = 'trace_ids' in selection ? readIds(selection.trace_ids) : await idsOf(context, scope, selection, null);
  const found: SelectedTrace[] = [];
  for (const part of partsOf(ids)) found.push(...(await context.inApp<SelectedTrace>(scope, sizes, { ids: part })));
  return found;
}

/** The same for a writer, which cannot search contents: those that match now, by id. */
export async function selectionForWriter(context: ReadContext, scope: Scope, selection: TraceSelection): Promise<TraceSelection> {
  if ('trace_ids' in selection || !selection.filter || !hasContent(selection.filter)) return selection;
  return { trace_ids: await idsOf(context, scope, selection, null) };
}

/** The database counts, except where only copies can tell what matches. */
export async function countTraces(context: ReadContext, scope: Scope, selection: TraceSelection): Promise<DeletionCount> {
  if ('trace_ids' in selection || (selection.filter && hasContent(selection.filter)))
    return countOf(await selectTraces(context, scope, selection));
  const [row] = await context.find<Pick<DeletionCount, 'traces' | 'spans'>>(
    scope,
    sql`SELECT count() AS traces, sum(span_count) AS spans FROM trace FINAL WHERE ${traceConditions(selection)}`,
  );
  return { traces: row?.traces ?? 0, spans: row?.spans ?? 0, forwarded: [] };
}

/** This store sends nothing on. */
export const countOf = (traces: readonly SelectedTrace[]): DeletionCount => ({
  traces: traces.length,
  spans: traces.reduce((sum, { span_count }) => sum + span_count, 0),
  forwarded: [],
});

type Narrowing = Exclude<TraceSelection, { trace_ids: readonly string[] }>;

/** A search of contents that takes too long for one read is split by time. */
async function idsOf(context: ReadContext, scope: Scope, selection: Narrowing, part: Range | null): Promise<string[]> {
  const searched = part ?? (await wholeRange(context, scope));
  const [from, to] = [Math.max(searched[0], selection.from ?? 0), Math.min(searched[1], selection.to ?? searched[1])];
  const all = { limit: rowsMax, offset: 0, sort_by: 'start_time', sort_order: 'desc' } as const;
  const { keys, totalIsLowerBound } = await findTraces(context, scope, { ...selection, from, to, ...all });
  if (!totalIsLowerBound) return keys.map(({ trace_id }) => trace_id);
  const middle = Math.floor((from + to) / 2);
  if (middle === from) throw new StorageError('slow', 'The traces of one millisecond take too long to search');
  const newer = await idsOf(context, scope, selection, [middle, to]);
  return newer.concat(await idsOf(context, scope, selection, [from, middle]));
}

async function wholeRange(context: ReadContext, scope: Scope): Promise<Range> {
  const [found] = await context.inApp<{ traces: number; oldest: number; newest: number }>(scope, edges);
  return found && found.traces > 0 ? [Math.floor(found.oldest / 1000), Math.floor(found.newest / 1000) + 1] : [0, 0];
}
