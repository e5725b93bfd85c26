/** Page of a span list, with the total. */
import type { SpanItem } from '../../../../shared/contract/tracing/spans.ts';
import type { Filter } from '../../../../shared/filter/filter-tree.ts';
import { type Bound, boundOf } from './bound.ts';
import { ReadPage } from './read-answer.ts';
import type { ReadContext } from './read-context.ts';
import { isVisible, type SpanRow, spanColumns, spanItemOf } from './span-wire.ts';
import { inTime } from './time-limit.ts';

export interface SpanPage {
  /** Conditions on `span`, with their bound values. */
  conditions: string[];
  values: unknown[];
  filter: Filter | undefined;
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

export function pageOfSpans(context: ReadContext, scope: number, page: SpanPage): ReadPage<SpanItem> {
  const { db, documents, damageReporter } = context;
  const { text, values } = whereOf(context, scope, page);
  const order = `${sortColumn[page.sort_by]} ${page.sort_order}, span.id ${page.sort_order}`;
  // Ids first, because sorting complete rows would look up the terms of every row that is not on the page.
  const ids = db
    .prepare<unknown[], number>(`SELECT span.id FROM span WHERE ${text} ORDER BY ${order} LIMIT ? OFFSET ?`)
    .pluck()
    .all(...values, page.limit, page.offset);
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
  const isNarrow = page.conditions.length > 0 || page.filter !== undefined;
  const total = isNarrow
    ? db
        .prepare<unknown[], number>(`SELECT count(*) FROM span WHERE ${text}`)
        .pluck()
        .get(...values)
    : db.prepare<[number], number>('SELECT span_count FROM scope WHERE id = ?').pluck().get(scope);
  return new ReadPage(
    damageReporter.rows('span', rows, (row) => spanItemOf(row, documents)),
    total ?? 0,
  );
}

function whereOf({ filters }: ReadContext, scope: number, { conditions, values, filter }: SpanPage): Bound {
  const plain = {
    text: ['span.scope = ?', inTime('span.id'), isVisible, ...conditions].join(' AND '),
    values: [scope, ...values],
    isNarrow: conditions.length > 0,
  };
  if (!filter) return plain;
  const filtered = filters.conditions('spans', scope, filter, plain).map(boundOf);
  return {
    text: [plain.text, ...filtered.map(({ text }) => text)].join(' AND '),
    values: [...plain.values, ...filtered.flatMap((condition) => condition.values)],
  };
}
