/** Conditions of a trace list on rows of `trace`. */
import { and, eq, gte, inArray, lt, type SQL, sql } from 'drizzle-orm';
import type { TracesNarrowing } from '../../../../shared/contract/tracing/trace-list.ts';
import type { Window } from '../../search-reader.ts';
import { statuses, termKey } from '../file/codes.ts';
import { traces, traceTerms } from '../file/schema.ts';
import { boundOf } from './bound.ts';
import type { ReadContext } from './read-context.ts';
import { inTime } from './time-limit.ts';
import { startsWithin } from './trace-window.ts';

const dayUs = 24 * 3600 * 1e6;

export interface TracesWhere {
  condition: SQL;
  /** True if the condition is more selective than the app. */
  isNarrow: boolean;
  /** True if it selects more than a range of the list, so that rows must be read, not only the index. */
  isFiltered: boolean;
}

type Conditions = Partial<TracesNarrowing> & { arrived?: number | undefined; window?: Window };

export function tracesWhere({ db, lookup, filters }: ReadContext, scope: number, query: Conditions): TracesWhere {
  const where: SQL[] = [];
  const requireTerm = (key: string, value: string | undefined) => {
    if (value !== undefined) where.push(inArray(traces.id, tracesWith([lookup.term(scope, key, value)])));
  };
  if (query.start_date) where.push(gte(traces.start_us, Date.parse(query.start_date) * 1000));
  if (query.end_date) where.push(lt(traces.start_us, Date.parse(query.end_date) * 1000 + dayUs));
  if (query.status) where.push(eq(traces.status, statuses.indexOf(query.status)));
  if (query.name !== undefined) {
    where.push(inArray(traces.name, [lookup.term(scope, termKey.name, query.name), lookup.term(scope, termKey.traceName, query.name)]));
  }
  requireTerm(termKey.user, query.user_id);
  requireTerm(termKey.model, query.model);
  requireTerm(termKey.session, query.session_id);
  requireTerm(termKey.datasetRun, query.dataset_run_id);
  requireTerm(termKey.commit, query.commit_sha);
  requireTerm(termKey.environment, query.environment);
  if (query.tag) where.push(inArray(traces.id, tracesWith(query.tag.map((tag) => lookup.term(scope, termKey.tag, tag)))));

  // Conditions on columns of the index, so that no row needs to be read.
  const range: SQL[] = [eq(traces.scope, scope), sql`${traces.span_count} > 0`, sql.raw(inTime('trace.id'))];
  if (query.bookkeeping !== 'include') range.push(eq(traces.bookkeeping, sql.raw('0')));
  const baseLength = range.length;
  if (query.from !== undefined) range.push(gte(traces.listed_us, query.from * 1000));
  if (query.to !== undefined) range.push(lt(traces.listed_us, query.to * 1000));
  if (query.window) range.push(...startsWithin(db, scope, query.window));
  // The plus sign makes the planner use the index of the list; by row id it would read every row.
  if (query.arrived !== undefined) range.push(sql`+${traces.id} <= ${query.arrived}`);
  const all = [...range, ...where];
  const isNarrow = all.length > baseLength;
  if (query.filter) {
    const plain = { ...boundOf(sql.join(all, sql` AND `)), isNarrow };
    all.push(...filters.conditions('traces', scope, query.filter, plain));
  }
  return {
    condition: and(...all) as SQL,
    isNarrow: isNarrow || query.filter !== undefined,
    isFiltered: where.length > 0 || query.filter !== undefined,
  };
}

const tracesWith = (ids: number[]): SQL => sql`(SELECT ${traceTerms.trace} FROM ${traceTerms} WHERE ${inArray(traceTerms.term, ids)})`;
