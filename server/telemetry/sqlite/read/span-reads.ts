import type { RawSpanReply } from '../../../../shared/contract/tracing/raw-span.ts';
import type { SpanFull } from '../../../../shared/contract/tracing/span-by-id.ts';
import type { SpanIo, SpanItem, SpanQuery } from '../../../../shared/contract/tracing/spans.ts';
import { contentOf, explain, explainContent, SpanTexts } from '../../../ingest/normalise/index.ts';
import { otlpJsonOf } from '../../../ingest/otlp/encode-json.ts';
import { readId } from '../../../ingest/otlp/identifiers.ts';
import { withLogsAsEvents } from '../../../ingest/otlp/log-events.ts';
import type { Search } from '../../search-reader.ts';
import type { SpanMedia } from '../../span-reader.ts';
import { IdSet } from '../columns/bitmap.ts';
import { intervalsOf } from '../columns/number-intervals.ts';
import type { SpanColumn } from '../columns/stored-columns.ts';
import { statuses, termKey, types } from '../file/codes.ts';
import { decoding } from '../file/damaged.ts';
import { storeId } from '../file/id-codec.ts';
import { noRow } from './lookup.ts';
import { ReadFile, type ReadPage } from './read-answer.ts';
import type { ReadContext } from './read-context.ts';
import type { SentSpans } from './sent-span.ts';
import { findMedia } from './span-media.ts';
import { pageOfSpans, type SpanCondition } from './span-page.ts';
import { spanValues } from './span-values.ts';
import { isVisible, metadataOf, oldestFirst, type SpanRow, spanColumns, spanItemOf } from './span-wire.ts';

export class SpanReads {
  readonly #context: ReadContext;
  readonly #ofTrace;
  readonly #findSpan;
  readonly #findById;
  readonly #receivedAt;

  constructor(context: ReadContext) {
    this.#context = context;
    const { db } = context;
    const from = `SELECT ${spanColumns} FROM span JOIN trace ON trace.id = span.trace`;
    this.#ofTrace = db.prepare<[number], SpanRow>(`${from} WHERE span.trace = ? AND ${isVisible} ORDER BY ${oldestFirst}`);
    this.#findSpan = db.prepare<[number, unknown], SpanRow>(`${from} WHERE span.trace = ? AND span.span_id = ?`);
    this.#findById = db.prepare<[number, unknown], Pick<SpanRow, 'trace' | 'span_id'>>(
      `SELECT span.trace, span.span_id FROM trace INDEXED BY trace_listed CROSS JOIN span ON span.trace = trace.id
       WHERE trace.scope = ? AND trace.span_count > 0 AND in_time() AND span.span_id = ? AND ${isVisible}
       ORDER BY trace.listed_us DESC, trace.id DESC LIMIT 1`,
    );
    this.#receivedAt = db.prepare<[number], number>('SELECT received_ms FROM block WHERE id = ?').pluck();
  }

  list(scope: number, query: SpanQuery): ReadPage<SpanItem> {
    const { limit, offset, filter } = query;
    return pageOfSpans(this.#context, scope, {
      ...{ conditions: this.#conditions(scope, query), filter, limit, offset, sort_by: 'start_time', sort_order: 'desc' },
    });
  }

  search(scope: number, { window, ...page }: Search<'spans'>): ReadPage<SpanItem> {
    const starts = { from: window.from * 1000, to: (window.to + 1) * 1000 };
    const conditions = [atLeast('start_us', starts.from), below('start_us', starts.to)];
    return pageOfSpans(this.#context, scope, { ...page, conditions, starts });
  }

  ofTrace(scope: number, traceId: string): SpanItem[] {
    const trace = this.#context.lookup.trace(scope, traceId);
    if (trace === noRow) return [];
    return this.#context.damageReporter.rows('span', this.#ofTrace.all(trace), (row) => spanItemOf(row, this.#context.documents));
  }

  io(scope: number, traceId: string, spanId: string): SpanIo | null {
    const row = this.#find(scope, traceId, spanId);
    return row ? this.#ioOf(row) : null;
  }

  /** Searches from the newest trace to older ones, because span ids have no index (migration 4). */
  byId(scope: number, spanId: string): SpanFull | null {
    const id = readId(spanId, 8);
    const position = id === null ? undefined : this.#findById.get(scope, storeId(id));
    const row = position && this.#findSpan.get(position.trace, position.span_id);
    return row ? { ...spanItemOf(row, this.#context.documents), ...this.#ioOf(row) } : null;
  }

  #ioOf(row: SpanRow): SpanIo {
    const { documents } = this.#context;
    const { input, output, output_object, tool_calls } = this.#decode(row, ({ sent }) => contentOf(withLogsAsEvents(sent)));
    return {
      input,
      output,
      output_object: output_object || null,
      tool_calls: tool_calls || null,
      metadata: metadataOf(documents, row.metadata),
    };
  }

  raw(scope: number, traceId: string, spanId: string): RawSpanReply | null {
    const row = this.#find(scope, traceId, spanId);
    if (!row) return null;
    return this.#decode(row, ({ sent, warnings }) => {
      const withLogs = withLogsAsEvents(sent);
      const received_at = new Date(this.#receivedAt.get(row.block) ?? 0).toISOString();
      return {
        ...otlpJsonOf(sent),
        received_at,
        warnings,
        provenance: { ...explain(withLogs), ...explainContent(withLogs) },
        ...spanValues(withLogs),
      };
    });
  }

  /** Type of the error of each span; '' if none was reported. */
  errorTypes(scope: number, spans: readonly Pick<SpanItem, 'trace_id' | 'id'>[]): string[] {
    return spans.map(({ trace_id, id }) => {
      const row = this.#find(scope, trace_id, id);
      return row ? this.#decode(row, ({ sent }) => new SpanTexts(withLogsAsEvents(sent)).errorType) : '';
    });
  }

  media(scope: number, traceId: string, spanId: string, sha256: string): ReadFile<Omit<SpanMedia, 'bytes'>> | null {
    const row = this.#find(scope, traceId, spanId);
    const found = row ? this.#decode(row, ({ sent }) => findMedia(withLogsAsEvents(sent), sha256)) : null;
    return found && new ReadFile({ type: found.type }, found.bytes);
  }

  /** @throws StorageError `corrupt` when the raw span is unreadable; the damage is reported */
  #decode<T>(row: SpanRow, use: (read: ReturnType<SentSpans['read']>) => T): T {
    const { damageReporter, sentSpans } = this.#context;
    return damageReporter.readOrThrow('span', row.id, () => decoding('The span', () => use(sentSpans.read(row))));
  }

  #find(scope: number, traceId: string, spanId: string): SpanRow | undefined {
    const trace = this.#context.lookup.trace(scope, traceId);
    const id = readId(spanId, 8);
    return trace === noRow || id === null ? undefined : this.#findSpan.get(trace, storeId(id));
  }

  #conditions(scope: number, query: SpanQuery): SpanCondition[] {
    const { lookup, db } = this.#context;
    const conditions: SpanCondition[] = [];
    const contains = (column: 'name' | 'model', key: string, part: string) => {
      const terms = 'SELECT id FROM term WHERE scope = ? AND key = ? AND instr(fold(value), fold(?)) > 0';
      const ids = IdSet.of(db.prepare<unknown[], number>(terms).pluck().all(scope, key, part));
      conditions.push({ column, test: { ids }, text: `span.${column} IN (${terms})`, values: [scope, key, part] });
    };
    if (query.trace_id !== undefined) conditions.push(is('trace', lookup.trace(scope, query.trace_id)));
    if (query.type) conditions.push(is('type', types.indexOf(query.type)));
    if (query.status) conditions.push(is('status', statuses.indexOf(query.status)));
    if (query.name !== undefined) contains('name', termKey.name, query.name);
    if (query.model !== undefined) contains('model', termKey.model, query.model);
    if (query.min_duration !== undefined) conditions.push(atLeast('duration_ns', query.min_duration * 1e6));
    if (query.max_duration !== undefined) conditions.push(atMost('duration_ns', query.max_duration * 1e6));
    if (query.start_date) conditions.push(atLeast('start_us', Date.parse(query.start_date) * 1000));
    if (query.end_date) conditions.push(below('start_us', (Date.parse(query.end_date) + 1) * 1000));
    if (query.user_id !== undefined) conditions.push(is('user', lookup.term(scope, termKey.user, query.user_id)));
    if (query.session_id !== undefined) conditions.push(is('session', lookup.term(scope, termKey.session, query.session_id)));
    return conditions;
  }
}

const compared =
  (comparison: string, operator: 'equals' | 'gte' | 'lte' | 'lt') =>
  (column: SpanColumn, value: number): SpanCondition => ({
    column,
    test: { intervals: intervalsOf({ operator, values: [value] }) },
    text: `span.${column} ${comparison} ?`,
    values: [value],
  });
const is = compared('=', 'equals');
const atLeast = compared('>=', 'gte');
const atMost = compared('<=', 'lte');
const below = compared('<', 'lt');
