/** Conditions of a trace list on rows of `trace`. */
import { and, eq, gte, inArray, lt, type SQL, sql } from 'drizzle-orm';
import type { TracesNarrowing } from '../../../../shared/contract/tracing/trace-list.ts';
import type { Window } from '../../search-reader.ts';
import { IdSet } from '../columns/bitmap.ts';
import type { ValueTest } from '../columns/match-column.ts';
import { intervalsOf } from '../columns/number-intervals.ts';
import type { Matches } from '../columns/row-page.ts';
import type { TraceColumn } from '../columns/stored-columns.ts';
import type { TraceConditions } from '../columns/trace-columns.ts';
import { statuses, termKey } from '../file/codes.ts';
import { traces, traceTerms } from '../file/schema.ts';
import type { Lookup } from './lookup.ts';
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

export type Conditions = Partial<TracesNarrowing> & { arrived?: number | undefined; arrived_after?: number | undefined; window?: Window };

/** Conditions of a list that are not on its index, as SQL and for columns. */
interface Plain {
  columns: { column: TraceColumn; test: ValueTest; sql: SQL }[];
  /** Each trace must hold a term of each list. */
  terms: number[][];
}

function plainConditions(lookup: Lookup, scope: number, query: Conditions): Plain {
  const plain: Plain = { columns: [], terms: [] };
  const add = (column: TraceColumn, test: ValueTest, condition: SQL) => plain.columns.push({ column, test, sql: condition });
  const requireTerm = (key: string, value: string | undefined) => {
    if (value !== undefined) plain.terms.push([lookup.term(scope, key, value)]);
  };
  if (query.start_date) {
    const from = Date.parse(query.start_date) * 1000;
    add('start_us', valuesFrom(from), gte(traces.start_us, from));
  }
  if (query.end_date) {
    const end = Date.parse(query.end_date) * 1000 + dayUs;
    add('start_us', valuesBelow(end), lt(traces.start_us, end));
  }
  if (query.status) {
    const status = statuses.indexOf(query.status);
    add('status', { ids: IdSet.of([status]) }, eq(traces.status, status));
  }
  if (query.name !== undefined) {
    const names = [lookup.term(scope, termKey.name, query.name), lookup.term(scope, termKey.traceName, query.name)];
    add('name', { ids: IdSet.of(names.filter((id) => id > 0)) }, inArray(traces.name, names));
  }
  requireTerm(termKey.user, query.user_id);
  requireTerm(termKey.model, query.model);
  requireTerm(termKey.session, query.session_id);
  requireTerm(termKey.datasetRun, query.dataset_run_id);
  requireTerm(termKey.commit, query.commit_sha);
  requireTerm(termKey.environment, query.environment);
  if (query.tag) plain.terms.push(query.tag.map((tag) => lookup.term(scope, termKey.tag, tag)));
  return plain;
}

const valuesFrom = (value: number): ValueTest => ({ intervals: intervalsOf({ operator: 'gte', values: [value] }) });
const valuesBelow = (value: number): ValueTest => ({ intervals: intervalsOf({ operator: 'lt', values: [value] }) });

/** The traces of a list by columns. The filter must not have predicates on contents. */
export function findTraces({ lookup, traceColumns }: ReadContext, scope: number, query: Conditions): Matches[] {
  const { columns, terms } = plainConditions(lookup, scope, query);
  const range: TraceConditions['columns'][number][] = [...columns];
  if (query.bookkeeping !== 'include') range.push({ column: 'bookkeeping', test: { ids: IdSet.of([0]) } });
  if (query.from !== undefined) range.push({ column: 'listed_us', test: valuesFrom(query.from * 1000) });
  if (query.to !== undefined) range.push({ column: 'listed_us', test: valuesBelow(query.to * 1000) });
  if (query.window) {
    const { from, to } = query.window;
    range.push({ column: 'start_us', test: { intervals: intervalsOf({ operator: 'between', values: [from * 1000, to * 1000 + 999] }) } });
  }
  return traceColumns.find(scope, { columns: range, terms, arrived: query.arrived, after: query.arrived_after }, query.filter);
}

/** Whether a list of traces that reads rows is read from the table, because there are few. */
export function isForTable({ db, traceColumns, tableRowsMax }: ReadContext, scope: number): boolean {
  const count = db.prepare<[number], number>('SELECT trace_count FROM scope WHERE id = ?').pluck().get(scope) ?? 0;
  return count <= tableRowsMax || !traceColumns.groups.areMade();
}

/** Clauses of the filter about contents are left out. */
export function tracesWhere({ db, lookup, filters }: ReadContext, scope: number, query: Conditions): TracesWhere {
  const { columns, terms } = plainConditions(lookup, scope, query);
  const where = [...columns.map(({ sql: condition }) => condition), ...terms.map((ids) => inArray(traces.id, tracesWith(ids)))];

  // Conditions on columns of the index, so that no row needs to be read.
  const range: SQL[] = [eq(traces.scope, scope), sql`${traces.span_count} > 0`, sql.raw(inTime('trace.id'))];
  if (query.bookkeeping !== 'include') range.push(eq(traces.bookkeeping, sql.raw('0')));
  const baseLength = range.length;
  if (query.from !== undefined) range.push(gte(traces.listed_us, query.from * 1000));
  if (query.to !== undefined) range.push(lt(traces.listed_us, query.to * 1000));
  if (query.window) range.push(...startsWithin(db, scope, query.window));
  // The plus sign makes the planner use the index of the list; by row id it would read every row.
  if (query.arrived !== undefined) range.push(sql`+${traces.id} <= ${query.arrived}`);
  if (query.arrived_after !== undefined) range.push(sql`+${traces.id} > ${query.arrived_after}`);
  const all = [...range, ...where];
  const isNarrow = all.length > baseLength;
  if (query.filter) all.push(...filters.conditions('traces', scope, query.filter));
  return {
    condition: and(...all) as SQL,
    isNarrow: isNarrow || query.filter !== undefined,
    isFiltered: where.length > 0 || query.filter !== undefined,
  };
}

const tracesWith = (ids: number[]): SQL => sql`(SELECT ${traceTerms.trace} FROM ${traceTerms} WHERE ${inArray(traceTerms.term, ids)})`;
