/** Pages of trace lists: first the keys of the rows and the total, then the rows, so that the order never moves texts. */
import type { TraceQuery } from '../../../../shared/contract/tracing/traces.ts';
import type { Scope } from '../../../platform/scope.ts';
import { hasContent } from '../../filter-sql.ts';
import { splitFilter } from '../../sqlite/read/content-clauses.ts';
import type { TraceRow } from '../stored-rows.ts';
import { asksForScores, type FoundRows, searchContents } from './content-search.ts';
import { traceFilterConditions } from './filter-sql.ts';
import { newestRows } from './newest-rows.ts';
import type { ReadContext } from './read-context.ts';
import { all, integer, integers, isIn, raw, type Sql, sql } from './sql.ts';
import { hoursOfSpans, isOfApp, plainConditions, type TraceConditions } from './trace-where.ts';

export type TracePageQuery = Pick<TraceQuery, 'limit' | 'offset' | 'sort_by' | 'sort_order'> & TraceConditions;

export interface FoundTraces {
  keys: TraceKey[];
  total: number;
  totalIsLowerBound: boolean;
}

export type TraceKey = Pick<TraceRow, 'hour' | 'trace_id'>;

const sortColumn = {
  name: 'name',
  status: 'status',
  latency: 'latency_ns',
  cost: 'cost',
  tokens: 'tokens',
  start_time: 'listed_us',
} as const;

const newestFirst = 'listed_us DESC, arrival DESC';

/** Conditions of a list whose filter, if any, is not about contents. */
export const traceConditions = ({ filter, ...query }: TraceConditions): Sql =>
  all([...plainConditions(query), ...(filter ? traceFilterConditions(filter, hoursOfSpans(query)) : [])]);

/** Ties break on the order of arrival. */
export async function findTraces(context: ReadContext, scope: Scope, query: TracePageQuery): Promise<FoundTraces> {
  const { sort_by, sort_order, limit, offset } = query;
  if (query.filter && hasContent(query.filter)) return pageOfContents(context, scope, query);
  const direction = sort_order === 'asc' ? 'ASC' : 'DESC';
  const order = `${sortColumn[sort_by]} ${direction}, arrival ${direction}`;
  const condition = traceConditions(query);
  const newest =
    order === newestFirst && isWide(query)
      ? await newestRows<TraceKey>(context, scope, { table: 'trace', columns: 'hour, trace_id', condition, order }, query)
      : null;
  const { rows, total } =
    newest ??
    (await context.page<TraceKey>(
      scope,
      sql`SELECT hour, trace_id FROM trace FINAL WHERE ${condition}
          ORDER BY ${raw(order)} LIMIT ${integer(limit)} OFFSET ${integer(offset)}`,
    ));
  return { keys: rows, total, totalIsLowerBound: false };
}

/** What does not leave out most of the newest traces. */
const wide = new Set(['limit', 'offset', 'sort_by', 'sort_order', 'from', 'bookkeeping', 'arrived', 'arrivedUntil']);

const isWide = (query: TracePageQuery): boolean => Object.entries(query).every(([key, value]) => wide.has(key) || value === undefined);

/** A trace of a search, with the value by which its list is sorted. */
export interface SearchedTrace extends TraceKey {
  listed_us: number;
  arrival: number;
  status: number;
  error_count: number;
  span_count: number;
  sort: string | number;
}

async function pageOfContents(context: ReadContext, scope: Scope, query: TracePageQuery): Promise<FoundTraces> {
  const { sort_by, sort_order, limit, offset } = query;
  const isNewestFirst = sort_by === 'start_time' && sort_order === 'desc';
  const wanted = isNewestFirst ? offset + limit : Number.POSITIVE_INFINITY;
  const { rows, isComplete } = await tracesWithContents(context, scope, query, wanted, sort_by);
  const sorted = isNewestFirst ? rows : rows.sort((a, b) => compare(a, b) * (sort_order === 'asc' ? 1 : -1));
  return { keys: sorted.slice(offset, offset + limit), total: rows.length, totalIsLowerBound: !isComplete };
}

const compare = (a: SearchedTrace, b: SearchedTrace): number => {
  if (typeof a.sort === 'string') return Buffer.compare(Buffer.from(a.sort), Buffer.from(String(b.sort))) || a.arrival - b.arrival;
  return a.sort - Number(b.sort) || a.arrival - b.arrival;
};

/** Traces of a list whose filter is about contents, newest first. */
export function tracesWithContents(
  context: ReadContext,
  scope: Scope,
  query: TraceConditions,
  wanted: number,
  sort_by: TraceQuery['sort_by'] = 'start_time',
): Promise<FoundRows<SearchedTrace>> {
  const filter = query.filter ?? { clauses: [] };
  const conditions = traceConditions({ ...query, filter: splitFilter(filter).rows });
  return searchContents<SearchedTrace>(context, {
    ...{ scope, filter, wanted },
    sizes: async (rows) => [...rows],
    next: (after, count) => context.find(scope, nextTraces(conditions, sortColumn[sort_by], after, count)),
    test: async (ids) => {
      const copy = context.over(scope, ids, { scores: asksForScores(filter) });
      const all = { limit: copiedMax, offset: 0, sort_by: 'start_time', sort_order: 'desc', bookkeeping: 'include' } as const;
      const { data, totalIsLowerBound } = await copy.traces.list(scope, { ...all, filter });
      const found = new Set(data.decode().map(({ id }) => id));
      return { holds: ({ trace_id }) => found.has(trace_id), isComplete: totalIsLowerBound !== true };
    },
  });
}

/** More than a copy has, with the other traces of its conversations. */
const copiedMax = 1_000_000;

function nextTraces(conditions: Sql, sort: string, after: SearchedTrace | null, count: number): Sql {
  const isLater = after
    ? sql`(listed_us, arrival) < (${integer(after.listed_us)}, ${integer(after.arrival)}) AND (hour = 0 OR hour <= ${integer(hourBound(after))})`
    : raw('1');
  return sql`
    SELECT hour, trace_id, listed_us, arrival, status, error_count, span_count, ${raw(sort)} AS sort FROM trace FINAL
    WHERE ${conditions} AND ${isLater} ORDER BY ${raw(newestFirst)} LIMIT ${integer(count)}`;
}

/** Rows whose time cannot be right have no hour, and are before or after all others. */
const hourBound = ({ hour }: TraceKey): number => (hour === 0 ? 2 ** 32 - 1 : hour);

/** The newest traces of a list: at most `max`, and one more when there are others. */
export async function newestTraces(
  context: ReadContext,
  scope: Scope,
  query: TraceConditions,
  max: number,
): Promise<{ keys: TraceKey[]; isComplete: boolean }> {
  if (query.filter && hasContent(query.filter)) {
    const { rows, isComplete } = await tracesWithContents(context, scope, query, max);
    return { keys: rows, isComplete };
  }
  const keys = await context.find<TraceKey>(
    scope,
    sql`SELECT hour, trace_id FROM trace FINAL WHERE ${traceConditions(query)} ORDER BY ${raw(newestFirst)} LIMIT ${integer(max + 1)}`,
  );
  return { keys, isComplete: true };
}

/**
 * Rows of traces, in the order of the keys.
 * @param columns SQL of those that are read
 */
export async function tracesByKey<Row extends { trace_id: string }>(
  context: ReadContext,
  scope: Scope,
  keys: readonly TraceKey[],
  columns: string,
): Promise<Row[]> {
  const select = (hours: Sql, ids: readonly string[]) =>
    context.find<Row>(scope, sql`SELECT ${raw(columns)} FROM trace FINAL WHERE ${isOfApp} AND ${hours} AND ${isIn('trace_id', ids)}`);
  if (keys.length === 0) return [];
  const hours = [...new Set(keys.map(({ hour }) => hour))];
  const found = await select(
    sql`hour IN ${integers(hours)}`,
    keys.map(({ trace_id }) => trace_id),
  );
  const rows = new Map(found.map((row) => [row.trace_id, row]));
  // Since the keys were read, spans may have moved a trace to another hour.
  const moved = keys.filter(({ trace_id }) => !rows.has(trace_id)).map(({ trace_id }) => trace_id);
  if (moved.length > 0) for (const row of await select(raw('1'), moved)) rows.set(row.trace_id, row);
  return keys.flatMap(({ trace_id }) => rows.get(trace_id) ?? []);
}
