/** Pages of span lists: first the keys of the rows and the total, then the rows. */
import type { Filter } from '../../../../shared/filter/filter-tree.ts';
import type { Scope } from '../../../platform/scope.ts';
import { hasContent } from '../../filter-sql.ts';
import { splitFilter } from '../../sqlite/read/content-clauses.ts';
import type { SpanHotRow } from '../stored-rows.ts';
import { asksForScores, type Candidate, type FoundRows, searchContents } from './content-search.ts';
import type { CountedTrace } from './copies.ts';
import { spanFilterConditions } from './filter-sql.ts';
import { newestRows } from './newest-rows.ts';
import type { ReadContext } from './read-context.ts';
import { all, integer, integers, isIn, raw, type Sql, sql } from './sql.ts';
import { selectTraces } from './trace-selection.ts';
import { isOfApp } from './trace-where.ts';

export interface SpanPageQuery {
  conditions: Sql[];
  filter: Filter | undefined;
  sort_by: keyof typeof sortColumn;
  sort_order: 'asc' | 'desc';
  limit: number;
  offset: number;
}

export type SpanKey = Pick<SpanHotRow, 'hour' | 'trace_id' | 'span_id'>;

export interface FoundSpans {
  keys: SpanKey[];
  total: number;
  totalIsLowerBound: boolean;
}

const tokens = 'ifNull(tokens, ifNull(input_tokens, 0) + ifNull(output_tokens, 0))';
const sortColumn = { start_time: 'start_us', duration_ms: 'duration_ns', cost: 'ifNull(cost, 0)', tokens, name: 'name' } as const;

const newestFirst = 'start_us DESC, arrival DESC';

/** Ties break on the order of arrival. */
export async function findSpans(context: ReadContext, scope: Scope, query: SpanPageQuery): Promise<FoundSpans> {
  const { filter, sort_by, sort_order, limit, offset } = query;
  if (filter && hasContent(filter)) return pageOfContents(context, scope, query, filter);
  const direction = sort_order === 'asc' ? 'ASC' : 'DESC';
  const order = `${sortColumn[sort_by]} ${direction}, arrival ${direction}`;
  const condition = conditionsOf(query, filter);
  const keyColumns = 'hour, trace_id, span_id';
  const isNewestFirst = order === newestFirst && !filter && query.conditions.length === 0;
  const newest = isNewestFirst
    ? await newestRows<SpanKey>(context, scope, { table: 'span', columns: keyColumns, condition, order }, query)
    : null;
  const { rows, total } =
    newest ??
    (await context.page<SpanKey>(
      scope,
      sql`SELECT ${raw(keyColumns)} FROM span FINAL WHERE ${condition}
          ORDER BY ${raw(order)} LIMIT ${integer(limit)} OFFSET ${integer(offset)}`,
    ));
  return { keys: rows, total, totalIsLowerBound: false };
}

const conditionsOf = ({ conditions }: SpanPageQuery, filter: Filter | undefined): Sql =>
  all([isOfApp, ...conditions, ...(filter ? spanFilterConditions(filter) : [])]);

interface SearchedSpan extends SpanKey, Candidate {
  start_us: number;
  arrival: number;
  sort: string | number;
}

async function pageOfContents(context: ReadContext, scope: Scope, query: SpanPageQuery, filter: Filter): Promise<FoundSpans> {
  const { sort_by, sort_order, limit, offset } = query;
  const isNewestFirst = sort_by === 'start_time' && sort_order === 'desc';
  const wanted = isNewestFirst ? offset + limit : Number.POSITIVE_INFINITY;
  const { rows, isComplete } = await spansWithContents(context, scope, query, filter, wanted);
  const sorted = isNewestFirst ? rows : rows.sort((a, b) => compare(a, b) * (sort_order === 'asc' ? 1 : -1));
  return { keys: sorted.slice(offset, offset + limit), total: rows.length, totalIsLowerBound: !isComplete };
}

const compare = (a: SearchedSpan, b: SearchedSpan): number => {
  if (typeof a.sort === 'string') return Buffer.compare(Buffer.from(a.sort), Buffer.from(String(b.sort))) || a.arrival - b.arrival;
  return a.sort - Number(b.sort) || a.arrival - b.arrival;
};

function spansWithContents(
  context: ReadContext,
  scope: Scope,
  query: SpanPageQuery,
  filter: Filter,
  wanted: number,
): Promise<FoundRows<SearchedSpan>> {
  const conditions = conditionsOf(query, splitFilter(filter).rows);
  return searchContents<SearchedSpan>(context, {
    ...{ scope, filter, wanted },
    sizes: (rows) => sizesOf(context, scope, rows),
    next: (after, count) => context.find(scope, nextSpans(conditions, sortColumn[query.sort_by], after, count)),
    test: async (ids) => {
      const copy = context.over(scope, ids, { scores: asksForScores(filter) });
      const { data, totalIsLowerBound } = await copy.spans.list(scope, { limit: copiedMax, offset: 0, filter });
      const found = new Set(data.decode().map(({ trace_id, id }) => `${trace_id} ${id}`));
      return { holds: (row) => found.has(nameOf(row)), isComplete: totalIsLowerBound !== true };
    },
  });
}

/** More than a copy has, with the other traces of its conversations. */
const copiedMax = 1_000_000;

/** In the order of the rows. A trace that is not listed yet has no spans to copy: it counts as one. */
async function sizesOf(context: ReadContext, scope: Scope, rows: readonly SearchedSpan[]): Promise<CountedTrace[]> {
  const ids = rows.map(({ trace_id }) => trace_id);
  const found = new Map((await selectTraces(context, scope, { trace_ids: ids })).map(({ trace_id, span_count }) => [trace_id, span_count]));
  return ids.map((trace_id) => ({ trace_id, span_count: found.get(trace_id) ?? 1 }));
}

function nextSpans(conditions: Sql, sort: string, after: SearchedSpan | null, count: number): Sql {
  const isLater = after ? sql`(start_us, arrival) < (${integer(after.start_us)}, ${integer(after.arrival)})` : raw('1');
  return sql`
    SELECT hour, trace_id, span_id, start_us, arrival, ${raw(sort)} AS sort FROM span FINAL
    WHERE ${conditions} AND ${isLater} ORDER BY ${raw(newestFirst)} LIMIT ${integer(count)}`;
}

const columns = `trace_id, span_id, parent_id, name, status, status_message, duration_ns, start_us, type, model, input_tokens, output_tokens,
  tokens, cost, cost_source, kind, service, prompt, metadata`;

/** Rows in the order of the keys. A span whose start has changed in the meantime may be in another hour. */
export async function spansByKey(context: ReadContext, scope: Scope, keys: readonly SpanKey[]): Promise<SpanHotRow[]> {
  const select = (hours: Sql, spans: readonly SpanKey[]) => {
    const traces = [...new Set(spans.map(({ trace_id }) => trace_id))];
    const ids = spans.map(({ span_id }) => span_id);
    return context.find<SpanHotRow>(
      scope,
      sql`SELECT ${raw(columns)} FROM span FINAL
          WHERE ${isOfApp} AND ${hours} AND ${isIn('trace_id', traces)} AND ${isIn('span_id', ids)}`,
    );
  };
  if (keys.length === 0) return [];
  const hours = [...new Set(keys.map(({ hour }) => hour))];
  const rows = new Map((await select(sql`hour IN ${integers(hours)}`, keys)).map((row) => [nameOf(row), row]));
  const moved = keys.filter((key) => !rows.has(nameOf(key)));
  if (moved.length > 0) for (const row of await select(raw('1'), moved)) rows.set(nameOf(row), row);
  return keys.flatMap((key) => rows.get(nameOf(key)) ?? []);
}

/** Ids have no spaces. */
const nameOf = ({ trace_id, span_id }: Pick<SpanKey, 'trace_id' | 'span_id'>): string => `${trace_id} ${span_id}`;
