/** Page of a traces list, with the total. */
import { and, asc, count, desc, eq, gt, gte, lt, lte, type SQL, sql } from 'drizzle-orm';
import type { TraceQuery } from '../../../../shared/contract/tracing/traces.ts';
import { byColumn, pageOfRows } from '../columns/row-page.ts';
import { byText, totalOf } from '../columns/span-columns.ts';
import type { TraceColumn } from '../columns/stored-columns.ts';
import { scopes, terms, traces } from '../file/schema.ts';
import { boundOf } from './bound.ts';
import { type FoundPage, foundPage } from './content-search.ts';
import type { ReadContext } from './read-context.ts';
import { findTraces, isForTable, tracesWhere } from './trace-where.ts';
import { tracesWithContents } from './traces-with-contents.ts';

export type TraceRow = typeof traces.$inferSelect;

type Page = Pick<TraceQuery, 'limit' | 'offset' | 'sort_by' | 'sort_order'> & Parameters<typeof tracesWhere>[2];

/** Up to this place the index of the list is walked; the columns count what is before a later one. */
const walkedMax = 10_000;

interface TracePage {
  rows: TraceRow[];
  total: number;
  totalIsLowerBound: boolean;
}

/** The traces of a page, by row. */
export const findPage = (context: ReadContext, scope: number, query: Page): FoundPage =>
  pageOfContents(context, scope, query) ?? pageWithoutContents(context, scope, query);

export function pageOfTraces(context: ReadContext, scope: number, query: Page): TracePage {
  const { damageReporter } = context;
  const { ids, total, totalIsLowerBound } = findPage(context, scope, query);
  const select = context.db.prepare<[string], TraceRow>(
    'SELECT trace.* FROM json_each(?) AS place CROSS JOIN trace ON trace.id = place.value ORDER BY place.key',
  );
  const rows = damageReporter.fetch(
    'trace',
    ids,
    () => select.all(JSON.stringify(ids)),
    (id) => select.get(JSON.stringify([id])),
  );
  return { rows, total, totalIsLowerBound };
}

function orderOf({ sort_by, sort_order }: Page): SQL[] {
  const direction = sort_order === 'asc' ? asc : desc;
  return [direction(sortColumn[sort_by]), direction(traces.id)];
}

/** Null when no clause of the filter is about contents. */
function pageOfContents(context: ReadContext, scope: number, query: Page): FoundPage | null {
  const isNewestFirst = query.sort_by === 'start_time' && query.sort_order === 'desc';
  const order = isNewestFirst ? null : boundOf(sql.join(orderOf(query), sql`, `)).text;
  const found = tracesWithContents(context, scope, query, { order, wanted: query.offset + query.limit });
  return found && foundPage(found, query);
}

/** A page whose filter, if any, is not about contents. */
function pageWithoutContents(context: ReadContext, scope: number, query: Page): FoundPage {
  return isWalked(context, scope, query) ? pageOfTable(context, scope, query) : pageOfColumns(context, scope, query);
}

function isWalked(context: ReadContext, scope: number, query: Page): boolean {
  if (isForTable(context, scope)) return true;
  // Without the filter, whose conditions may read many rows.
  const { isNarrow } = tracesWhere(context, scope, { ...query, filter: undefined });
  return !isNarrow && !query.filter && query.sort_by === 'start_time' && query.offset + query.limit <= walkedMax;
}

function pageOfTable(context: ReadContext, scope: number, query: Page): FoundPage {
  const { orm } = context;
  const { condition, isNarrow } = tracesWhere(context, scope, query);
  // Ids come from the index alone, so that a late page does not fetch all the rows before it.
  const ids = orm
    .select({ id: traces.id })
    .from(traces)
    .where(condition)
    .orderBy(...orderOf(query))
    .limit(query.limit)
    .offset(query.offset)
    .all()
    .map(({ id }) => id);
  const total = isNarrow
    ? orm.select({ total: count() }).from(traces).where(condition).get()?.total
    : orm.select({ total: scopes.trace_count }).from(scopes).where(eq(scopes.id, scope)).get()?.total;
  const hidden = isNarrow ? 0 : hiddenTraces(context, scope, query);
  return { ids, total: (total ?? 0) - hidden, totalIsLowerBound: false };
}

function pageOfColumns(context: ReadContext, scope: number, query: Page): FoundPage {
  const matches = findTraces(context, scope, query);
  const key = query.sort_by === 'name' ? byText(context, 'name', matches) : byColumn(sortKey[query.sort_by]);
  const range = { direction: query.sort_order, limit: query.limit, offset: query.offset };
  const ids = pageOfRows(matches, key, range, () => context.limit.check());
  return { ids, total: totalOf(matches), totalIsLowerBound: false };
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
  { bookkeeping, from, to, arrived, arrived_after }: Parameters<typeof tracesWhere>[2],
): number {
  if (bookkeeping === 'include') return 0;
  const where = [eq(traces.scope, scope), sql`${traces.span_count} > 0`, sql`${traces.bookkeeping} = 1`];
  if (from !== undefined) where.push(gte(traces.listed_us, from * 1000));
  if (to !== undefined) where.push(lt(traces.listed_us, to * 1000));
  if (arrived !== undefined) where.push(lte(traces.id, arrived));
  if (arrived_after !== undefined) where.push(gt(traces.id, arrived_after));
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
