/** Conditions of a traces list on rows of `trace`. */
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
  /** Asks for more than the traces of the app. */
  isNarrow: boolean;
  /** Asks for more than a range of the list, so that rows must be read, not the index alone. */
  isFiltered: boolean;
}

type Asked = Partial<TracesNarrowing> & { arrived?: number | undefined; window?: Window };

export function tracesWhere({ db, lookup, filters }: ReadContext, scope: number, query: Asked): TracesWhere {
  const where: SQL[] = [];
  const holds = (key: string, value: string | undefined) => {
    if (value !== undefined) where.push(inArray(traces.id, tracesWith([lookup.term(scope, key, value)])));
  };
  if (query.start_date) where.push(gte(traces.start_us, Date.parse(query.start_date) * 1000));
  if (query.end_date) where.push(lt(traces.start_us, Date.parse(query.end_date) * 1000 + dayUs));
  if (query.status) where.push(eq(traces.status, statuses.indexOf(query.status)));
  if (query.name !== undefined) {
    where.push(inArray(traces.name, [lookup.term(scope, termKey.name, query.name), lookup.term(scope, termKey.traceName, query.name)]));
  }
  holds(termKey.user, query.user_id);
  holds(termKey.model, query.model);
  holds(termKey.session, query.session_id);
  holds(termKey.datasetRun, query.dataset_run_id);
  holds(termKey.commit, query.commit_sha);
  holds(termKey.environment, query.environment);
  if (query.tag) where.push(inArray(traces.id, tracesWith(query.tag.map((tag) => lookup.term(scope, termKey.tag, tag)))));

  // In terms of the index, so that no row needs to be read.
  const stretch: SQL[] = [eq(traces.scope, scope), sql`${traces.span_count} > 0`, sql.raw(inTime('trace.id'))];
  if (query.bookkeeping !== 'include') stretch.push(eq(traces.bookkeeping, sql.raw('0')));
  const whole = stretch.length;
  if (query.from !== undefined) stretch.push(gte(traces.listed_us, query.from * 1000));
  if (query.to !== undefined) stretch.push(lt(traces.listed_us, query.to * 1000));
  if (query.window) stretch.push(...startsWithin(db, scope, query.window));
  // The plus sign keeps the planner in the index of the list: by row number it would read every row.
  if (query.arrived !== undefined) stretch.push(sql`+${traces.id} <= ${query.arrived}`);
  const all = [...stretch, ...where];
  const isNarrow = all.length > whole;
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
