/** Lists of spans. */
import type { SpanItem, SpanQuery } from '../../../../shared/contract/tracing/spans.ts';
import { readId } from '../../../ingest/otlp/identifiers.ts';
import type { Scope } from '../../../platform/scope.ts';
import { Encoded, type EncodedPage } from '../../encoded.ts';
import type { Search } from '../../search-reader.ts';
import { statuses, types } from '../../sqlite/file/codes.ts';
import { spanItem } from '../../sqlite/read/wire-items.ts';
import { hourOf } from '../stored-rows.ts';
import { containsFolded } from './fold-sql.ts';
import type { ReadContext } from './read-context.ts';
import { findSpans, spansByKey } from './span-page.ts';
import { integer, never, number, raw, type Sql, sql, text } from './sql.ts';
import { isOfApp } from './trace-where.ts';

export class SpanListReads {
  readonly #context: ReadContext;

  constructor(context: ReadContext) {
    this.#context = context;
  }

  list(scope: Scope, query: SpanQuery): Promise<EncodedPage<SpanItem>> {
    const { limit, offset, filter } = query;
    return this.#page(scope, { conditions: conditionsOf(query), filter, limit, offset, sort_by: 'start_time', sort_order: 'desc' });
  }

  search(scope: Scope, { window, ...page }: Search<'spans'>): Promise<EncodedPage<SpanItem>> {
    return this.#page(scope, { ...page, conditions: [...startsFrom(window.from * 1000), ...startsBefore((window.to + 1) * 1000)] });
  }

  async #page(scope: Scope, page: Parameters<typeof findSpans>[2]): Promise<EncodedPage<SpanItem>> {
    const { keys, total, totalIsLowerBound } = await findSpans(this.#context, scope, page);
    const rows = await spansByKey(this.#context, scope, keys);
    return { data: Encoded.of(rows.map(spanItem)), total, ...(totalIsLowerBound && { totalIsLowerBound }) };
  }
}

function conditionsOf(query: SpanQuery): Sql[] {
  const where: Sql[] = [];
  if (query.trace_id !== undefined) where.push(isOfTrace(query.trace_id));
  if (query.type) where.push(sql`type = ${integer(types.indexOf(query.type))}`);
  if (query.status) where.push(sql`status = ${integer(statuses.indexOf(query.status))}`);
  if (query.name !== undefined) where.push(containsFolded(raw('name'), query.name));
  if (query.model !== undefined) where.push(sql`(model <> '' AND ${containsFolded(raw('model'), query.model)})`);
  if (query.min_duration !== undefined) where.push(sql`duration_ns >= ${number(query.min_duration * 1e6)}`);
  if (query.max_duration !== undefined) where.push(sql`duration_ns <= ${number(query.max_duration * 1e6)}`);
  if (query.start_date) where.push(...startsFrom(Date.parse(query.start_date) * 1000));
  if (query.end_date) where.push(...startsBefore((Date.parse(query.end_date) + 1) * 1000));
  if (query.user_id !== undefined) where.push(sql`(user <> '' AND user = ${text(query.user_id)})`);
  if (query.session_id !== undefined) where.push(sql`(session <> '' AND session = ${text(query.session_id)})`);
  return where;
}

/** Its place tells in which hours its spans are. */
function isOfTrace(traceId: string): Sql {
  const id = readId(traceId, 16);
  if (id === null) return never;
  return sql`(trace_id = ${text(id)} AND hour IN (
    SELECT arrayJoin(span_hours) FROM place FINAL WHERE ${isOfApp} AND trace_id = ${text(id)}))`;
}

function startsFrom(us: number): Sql[] {
  return [sql`start_us >= ${integer(us)}`, sql`(hour = 0 OR hour >= ${integer(hourOf(us))})`];
}

function startsBefore(us: number): Sql[] {
  const hour = hourOf(us);
  return [sql`start_us < ${integer(us)}`, ...(hour === 0 ? [] : [sql`hour <= ${integer(hour)}`])];
}
