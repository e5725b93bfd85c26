/** The newest traces of a list, of which something is counted. */
import { desc } from 'drizzle-orm';
import type { TracesNarrowing } from '../../../../shared/contract/tracing/trace-list.ts';
import { byColumn, pageOfRows } from '../columns/row-page.ts';
import { traces } from '../file/schema.ts';
import type { FoundRows } from './content-search.ts';
import type { ReadContext } from './read-context.ts';
import { findTraces, isForTable, tracesWhere } from './trace-where.ts';
import { tracesWithContents } from './traces-with-contents.ts';

/** Row ids, newest first: at most `max`, and one more when there are others. */
export function newestTraces(context: ReadContext, scope: number, query: TracesNarrowing, max: number): FoundRows {
  const found = tracesWithContents(context, scope, query, { order: null, wanted: max });
  if (found) return found;
  const { isFiltered } = tracesWhere(context, scope, { ...query, filter: undefined });
  if ((isFiltered || query.filter) && !isForTable(context, scope)) {
    const range = { direction: 'desc', limit: max + 1, offset: 0 } as const;
    return {
      ids: pageOfRows(findTraces(context, scope, query), byColumn('listed_us'), range, () => context.limit.check()),
      isComplete: true,
    };
  }
  const rows = context.orm
    .select({ id: traces.id })
    .from(traces)
    .where(tracesWhere(context, scope, query).condition)
    .orderBy(desc(traces.listed_us), desc(traces.id))
    .limit(max + 1)
    .all();
  return { ids: rows.map(({ id }) => id), isComplete: true };
}
