/** Page of a traces list, with the total. */
import { and, asc, count, desc, eq, gte, lt, lte, sql } from 'drizzle-orm';
import type { TraceQuery } from '../../../../shared/contract/tracing/traces.ts';
import { byColumn, pageOfRows } from '../columns/row-page.ts';
import { byText, totalOf } from '../columns/span-columns.ts';
import type { TraceColumn } from '../columns/stored-columns.ts';
import { scopes, terms, traces } from '../file/schema.ts';
import type { ReadContext } from './read-context.ts';
import { findTraces, isForTable, tracesWhere } from './trace-where.ts';

export type TraceRow = typeof traces.$inferSelect;

type Page = Pick<TraceQuery, 'limit' | 'offset' | 'sort_by' | 'sort_order'> & Parameters<typeof tracesWhere>[2];

/** Up to this place the index of the list is walked; the columns count what is before a later one. */
const walkedMax = 10_000;

export function pageOfTraces(context: ReadContext, scope: number, query: Page): { rows: TraceRow[]; total: number } {
  const { db, damageReporter } = context;
  const { ids, total } = isWalked(context, scope, query) ? pageOfTable(context, scope, query) : pageOfColumns(context, scope, query);
  const select = db.prepare<[string], TraceRow>(
    'SELECT trace.* FROM json_each(?) AS place CROSS JOIN trace ON trace.id = place.value ORDER BY place.key',
  );
  const rows = damageReporter.fetch(
    'trace',
    ids,
    () => select.all(JSON.stringify(ids)),
    (id) => select.get(JSON.stringify([id])),
  );
  return { rows, total };
}

function isWalked(context: ReadContext, scope: number, query: Page): boolean {
  if (isForTable(context, scope, query)) return true;
  const { isNarrow } = tracesWhere(context, scope, { ...query, filter: undefined });
  return !isNarrow && !query.filter && query.sort_by === 'start_time' && query.offset + query.limit <= walkedMax;
}

interface PageIds {
  ids: number[];
  total: number;
}

function pageOfTable(context: ReadContext, scope: number, query: Page): PageIds {
  const { orm } = context;
  const { condition, isNarrow } = tracesWhere(context, scope, query);
  const direction = query.sort_order === 'asc' ? asc : desc;
  const order = [direction(sortColumn[query.sort_by]), direction(traces.id)];
  // Ids come from the index alone, so that a late page does not fetch all the rows before it.
  const ids = orm
    .select({ id: traces.id })
    .from(traces)
    .where(condition)
    .orderBy(...order)
    .limit(query.limit)
    .offset(query.offset)
    .all()
    .map(({ id }) => id);
  const total = isNarrow
    ? orm.select({ total: count() }).from(traces).where(condition).get()?.total
    : orm.select({ total: scopes.trace_count }).from(scopes).where(eq(scopes.id, scope)).get()?.total;
  const hidden = isNarrow ? 0 : hiddenTraces(context, scope, query);
  return { ids, total: (total ?? 0) - hidden };
}

function pageOfColumns(context: ReadContext, scope: number, query: Page): PageIds {
  const matches = findTraces(context, scope, query);
  const key = query.sort_by === 'name' ? byText(context, 'name', matches) : byColumn(sortKey[query.sort_by]);
  const range = { direction: query.sort_order, limit: query.limit, offset: query.offset };
  return { ids: pageOfRows(matches, key, range, () => context.limit.check()), total: totalOf(matches) };
}

const sortKey: Record<Exclude<Page['sort_by'], 'name'>, TraceColumn> = {
  status: 'status',
  latency: 'latency_ns',
  cost: 'cost',
  tokens: 'tokens',
  start_time: 'listed_us',
};

/** Number of bookkeeping traces that a list hides within its time range. */
export function hiddenTraces(
  { orm }: ReadContext,
  scope: number,
  { bookkeeping, from, to, arrived }: Parameters<typeof tracesWhere>[2],
): number {
  if (bookkeeping === 'include') return 0;
  const where = [eq(traces.scope, scope), sql`${traces.span_count} > 0`, sql`${traces.bookkeeping} = 1`];
  if (from !== undefined) where.push(gte(traces.listed_us, from * 1000));
  if (to !== undefined) where.push(lt(traces.listed_us, to * 1000));
  if (arrived !== undefined) where.push(lte(traces.id, arrived));
  return (
    orm
      .select({ hidden: count() })
      .from(traces)
      .where(and(...where))
      .get()?.hidden ?? 0
  );
}

const sortColumn = {
  name: sql`(SELECT ${terms.value} FROM ${terms} WHERE ${terms.id} = ${traces.name})`,
  status: traces.status,
  latency: traces.latency_ns,
  cost: traces.cost,
  tokens: traces.tokens,
  start_time: traces.listed_us,
} as const;
