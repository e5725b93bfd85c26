/** Traces of a list whose filter is about contents. */
import { sql } from 'drizzle-orm';
import { hasContent } from '../../filter-sql.ts';
import { boundOf } from './bound.ts';
import { type FoundRows, searchContents } from './content-search.ts';
import type { ReadContext } from './read-context.ts';
import { type Conditions, tracesWhere } from './trace-where.ts';

/** Order and number of the traces that are wanted: see `ContentSearch`. */
type Wanted = { order: string | null; wanted: number };

/** Null when no clause of the filter is about contents. */
export function tracesWithContents(context: ReadContext, scope: number, query: Conditions, wanted: Wanted): FoundRows | null {
  const contents = query.filter && hasContent(query.filter) ? context.filters.contents('traces', scope, query.filter) : null;
  if (!contents) return null;
  const range = { from: query.from ?? query.window?.from, to: query.to ?? query.window?.to };
  const starts = { from: (range.from ?? Number.NEGATIVE_INFINITY) * 1000, to: ((range.to ?? Number.POSITIVE_INFINITY) + 1) * 1000 };
  const rows = boundOf(tracesWhere(context, scope, query).condition);
  return searchContents(context, { resource: 'traces', scope, ...contents, ...wanted, rows, starts, isNarrow: false });
}

/** A condition that selects traces by id. */
export const amongTraces = (ids: readonly number[]) => sql`trace.id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`;
