/** Page of a span list, with the total. */
import type { SpanItem } from '../../../../shared/contract/tracing/spans.ts';
import type { Filter } from '../../../../shared/filter/filter-tree.ts';
import { byColumn, pageOfRows } from '../columns/row-page.ts';
import { byText, type PlainCondition, totalOf } from '../columns/span-columns.ts';
import type { SpanColumn } from '../columns/stored-columns.ts';
import { type Bound, boundOf } from './bound.ts';
import { anyTime, type Starts } from './candidate-spans.ts';
import { type FoundPage, foundPage, searchContents } from './content-search.ts';
import { ReadPage } from './read-answer.ts';
import type { ReadContext } from './read-context.ts';
import { isVisible, type SpanRow, spanColumns, spanItemOf } from './span-wire.ts';
import { inTime } from './time-limit.ts';

/** A condition on a column of `span`, and the same for the columns of columns/. */
export interface SpanCondition extends PlainCondition {
  /** SQL with its bound values. */
  text: string;
  values: unknown[];
}

export interface SpanPage {
  conditions: SpanCondition[];
  filter: Filter | undefined;
  /** As far as the conditions restrict them. */
  starts?: Starts;
  sort_by: keyof typeof sortColumn;
  sort_order: 'asc' | 'desc';
  limit: number;
  offset: number;
}

const sortColumn = {
  start_time: 'span.start_us',
  duration_ms: 'span.duration_ns',
  cost: 'coalesce(span.cost, 0)',
  tokens: 'coalesce(span.tokens, coalesce(span.input_tokens, 0) + coalesce(span.output_tokens, 0))',
  name: '(SELECT value FROM term WHERE term.id = span.name)',
} as const;

const sortKey: Record<Exclude<SpanPage['sort_by'], 'name'>, SpanColumn> = {
  start_time: 'start_us',
  duration_ms: 'duration_ns',
  cost: 'cost',
  tokens: 'tokens',
};

/** Up to this place the index of starts is walked; the columns count what is before a later one. */
const walkedMax = 1000;

export function pageOfSpans(context: ReadContext, scope: number, page: SpanPage): ReadPage<SpanItem> {
  const { db, documents, damageReporter } = context;
  const { ids, total, totalIsLowerBound } = pageOfContents(context, scope, page) ?? pageWithoutContents(context, scope, page);
  const select = db.prepare<[string], SpanRow>(
    `SELECT ${spanColumns} FROM json_each(?) AS place CROSS JOIN span ON span.id = place.value JOIN trace ON trace.id = span.trace
     ORDER BY place.key`,
  );
  const rows = damageReporter.fetch(
    'span',
    ids,
    () => select.all(JSON.stringify(ids)),
    (id) => select.get(JSON.stringify([id])),
  );
  return new ReadPage(
    damageReporter.rows('span', rows, (row) => spanItemOf(row, documents)),
    total,
    totalIsLowerBound,
  );
}

const orderOf = ({ sort_by, sort_order }: SpanPage): string => `${sortColumn[sort_by]} ${sort_order}, span.id ${sort_order}`;

/** A page whose filter, if any, is not about contents. */
function pageWithoutContents(context: ReadContext, scope: number, page: SpanPage): FoundPage {
  return isForTable(context, scope, page) ? pageOfTable(context, scope, page) : pageOfColumns(context, scope, page);
}

/** Whether the table is read: its index leads to the page, or there are few rows. */
function isForTable(
  { db, spanColumns, tableRowsMax }: ReadContext,
  scope: number,
  { conditions, filter, sort_by, offset, limit }: SpanPage,
): boolean {
  if (conditions.some(({ column }) => column === 'trace')) return true;
  if (conditions.length === 0 && !filter && sort_by === 'start_time' && offset + limit <= walkedMax) return true;
  const count = db.prepare<[number], number>('SELECT span_count FROM scope WHERE id = ?').pluck().get(scope) ?? 0;
  return count <= tableRowsMax || !spanColumns.areMade();
}

function pageOfTable(context: ReadContext, scope: number, page: SpanPage): FoundPage {
  const { db } = context;
  const { text, values } = whereOf(context, scope, page);
  // Ids first, because sorting complete rows would look up the terms of every row that is not on the page.
  const ids = db
    .prepare<unknown[], number>(`SELECT span.id FROM span WHERE ${text} ORDER BY ${orderOf(page)} LIMIT ? OFFSET ?`)
    .pluck()
    .all(...values, page.limit, page.offset);
  const isNarrow = page.conditions.length > 0 || page.filter !== undefined;
  const total = isNarrow
    ? db
        .prepare<unknown[], number>(`SELECT count(*) FROM span WHERE ${text}`)
        .pluck()
        .get(...values)
    : db.prepare<[number], number>('SELECT span_count FROM scope WHERE id = ?').pluck().get(scope);
  return { ids, total: total ?? 0, totalIsLowerBound: false };
}

/** Null when no clause of the filter is about contents. */
function pageOfContents(context: ReadContext, scope: number, page: SpanPage): FoundPage | null {
  const contents = page.filter ? context.filters.contents('spans', scope, page.filter) : null;
  if (!contents) return null;
  const { limit, offset, sort_by, sort_order, starts = anyTime } = page;
  const isNewestFirst = sort_by === 'start_time' && sort_order === 'desc';
  const found = searchContents(context, {
    ...{ resource: 'spans', scope, ...contents, starts, wanted: offset + limit },
    rows: whereOf(context, scope, page),
    order: isNewestFirst ? null : orderOf(page),
    isNarrow: page.conditions.some(({ column }) => column === 'trace'),
  });
  return foundPage(found, page);
}

function pageOfColumns(context: ReadContext, scope: number, page: SpanPage): FoundPage {
  const { spanColumns: columns, limit } = context;
  const matches = columns.find(scope, page.conditions, page.filter);
  const key = page.sort_by === 'name' ? byText(context, 'name', matches) : byColumn(sortKey[page.sort_by]);
  const range = { direction: page.sort_order, limit: page.limit, offset: page.offset };
  return { ids: pageOfRows(matches, key, range, () => limit.check()), total: totalOf(matches), totalIsLowerBound: false };
}

function whereOf({ filters }: ReadContext, scope: number, { conditions, filter }: SpanPage): Bound {
  const plain = {
    text: ['span.scope = ?', inTime('span.id'), isVisible, ...conditions.map(({ text }) => text)].join(' AND '),
    values: [scope, ...conditions.flatMap(({ values }) => values)],
  };
  if (!filter) return plain;
  const filtered = filters.conditions('spans', scope, filter).map(boundOf);
  return {
    text: [plain.text, ...filtered.map(({ text }) => text)].join(' AND '),
    values: [...plain.values, ...filtered.flatMap((condition) => condition.values)],
  };
}
