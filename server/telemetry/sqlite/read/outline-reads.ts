/**
 * Reads for the page of a trace: all spans as narrow columns, the payloads of visible spans, and a text search in steps, so that no other read
 * waits for it.
 */
import type { FoundSpans, SpanPreview, TraceOutline } from '../../../../shared/contract/tracing/trace-outline.ts';
import { contentOf } from '../../../ingest/normalise/index.ts';
import { readId } from '../../../ingest/otlp/identifiers.ts';
import { withLogsAsEvents } from '../../../ingest/otlp/log-events.ts';
import { statuses } from '../file/codes.ts';
import { requireNumbers, stored, storedTags } from '../file/damaged.ts';
import { readStoredId, storeId } from '../file/id-codec.ts';
import { isoOf } from './iso-time.ts';
import { noRow } from './lookup.ts';
import { isShown, isValidRow, type NarrowRow, narrowColumns, outlineColumns } from './outline-columns.ts';
import type { ReadContext } from './read-context.ts';
import { readSpanInTrace } from './span-payload.ts';
import { isVisible, metadataOf, type SpanRow, spanColumns, spanItemOf } from './span-wire.ts';

interface TraceHead {
  trace_id: unknown;
  name: number;
  status: number;
  start_us: number;
  end_us: number;
  latency_ns: number;
  cost: number;
  tokens: number;
  session: number;
  user: number;
  metadata: number;
  tags: string;
  span_count: number;
}

const eventsMax = 500;
/** Duration of one search step, in milliseconds. Other reads may wait for it. */
const searchMs = 120;

export class OutlineReads {
  readonly #context: ReadContext;
  readonly #head;
  readonly #all;
  readonly #ids;
  readonly #narrow;
  readonly #findSpan;
  readonly #after;

  constructor(context: ReadContext) {
    this.#context = context;
    const { db } = context;
    this.#head = db.prepare<[number], TraceHead>(
      'SELECT trace_id, name, status, start_us, end_us, latency_ns, cost, tokens, session, user, metadata, tags, span_count FROM trace WHERE id = ?',
    );
    // Selects by row id, because the index of span ids is in random order while neighbouring rows share pages.
    this.#all = db
      .prepare<[number], NarrowRow>(`SELECT ${narrowColumns} FROM span WHERE id IN (SELECT id FROM span WHERE trace = ?)`)
      .raw();
    this.#ids = db.prepare<[number], number>('SELECT id FROM span WHERE trace = ?').pluck();
    this.#narrow = db.prepare<[number], NarrowRow>(`SELECT ${narrowColumns} FROM span WHERE id = ?`).raw();
    const from = `SELECT ${spanColumns} FROM span JOIN trace ON trace.id = span.trace`;
    this.#findSpan = db.prepare<[number, unknown], SpanRow>(`${from} WHERE span.trace = ? AND span.span_id = ? AND ${isVisible}`);
    this.#after = db.prepare<[number, number], SpanRow>(`${from} WHERE span.trace = ? AND span.id > ? AND ${isVisible} ORDER BY span.id`);
  }

  /** Null when no span of that trace is stored. */
  outline(scope: number, traceId: string): TraceOutline | null {
    const { lookup, documents, scores, damageReporter } = this.#context;
    const id = lookup.trace(scope, traceId);
    if (id === noRow) return null;
    const head = stored(this.#head.get(id), `Trace row ${id}`);
    const { originUs, ...columns } = outlineColumns(this.#narrowRows(id, head.span_count), lookup);
    requireNumbers(head, ['latency_ns', 'cost', 'tokens'], 'The trace');
    return {
      id: readStoredId(head.trace_id),
      name: lookup.text(head.name),
      status: statuses[head.status] ?? 'UNSET',
      start: isoOf(head.start_us),
      end: isoOf(head.end_us),
      latency_ms: head.latency_ns / 1e6,
      cost: head.cost,
      tokens: head.tokens,
      session_id: lookup.text(head.session) || null,
      user_id: lookup.text(head.user) || null,
      tags: damageReporter.read('trace', id, () => storedTags(head.tags)) ?? [],
      metadata: damageReporter.read('trace', id, () => metadataOf(documents, head.metadata)) ?? {},
      scores: damageReporter.read('database', `scores of trace ${id}`, () => scores.ofTrace(scope, id)) ?? [],
      origin: isoOf(originUs),
      ...columns,
    };
  }

  #narrowRows(trace: number, spanCount: number): NarrowRow[] {
    const { damageReporter } = this.#context;
    const rows = damageReporter.read('database', `spans of trace ${trace}`, () => this.#all.all(trace)) ?? this.#oneByOne(trace);
    const validRows = rows.filter(isValidRow);
    const found = validRows.filter(isShown).length;
    if (found !== spanCount) damageReporter.report('trace', trace, `It should have ${spanCount} spans, but ${found} were found`);
    return validRows;
  }

  #oneByOne(trace: number): NarrowRow[] {
    const rows = this.#ids.all(trace).map((id) => this.#context.damageReporter.read('span', id, () => this.#narrow.get(id)));
    return rows.filter((row) => row !== null && row !== undefined);
  }

  /** In the order of the ids; unknown spans are left out. */
  previews(scope: number, traceId: string, ids: readonly string[]): SpanPreview[] {
    const trace = this.#context.lookup.trace(scope, traceId);
    if (trace === noRow) return [];
    return ids.flatMap((spanId) => {
      const id = readId(spanId, 8);
      const row = id === null ? undefined : this.#findSpan.get(trace, storeId(id));
      const preview = row && this.#context.damageReporter.read('span', row.id, () => this.#preview(row));
      return preview ? [preview] : [];
    });
  }

  #preview(row: SpanRow): SpanPreview {
    const { wire, sent } = readSpanInTrace(row, this.#context);
    const spanInTrace = wire();
    // Events of unreadable spans are unknown.
    if (spanInTrace.damaged) return { ...spanInTrace, event_us: [], event_count: 0 };
    const { span } = sent();
    const start = BigInt(span.start_ns);
    // Enough events for a row of pixels, spread over the whole span.
    const interval = Math.max(1, Math.ceil(span.events.length / eventsMax));
    const shownEvents = span.events.filter((_, index) => index % interval === 0);
    const event_us = shownEvents.map(({ time_ns }) => Number(BigInt(time_ns) - start) / 1000);
    return { ...spanInTrace, event_us, event_count: span.events.length };
  }

  /** Searches spans in order of arrival until the time of a step is over, ignoring case. Null when the cursor is not of this store and app. */
  find(scope: number, traceId: string, words: string, cursor: string | null): FoundSpans | null {
    const { cursors, lookup } = this.#context;
    const after = cursor === null ? 0 : cursors.decrypt('searchedSpans', scope, cursor);
    if (after === null) return null;
    const trace = lookup.trace(scope, traceId);
    const lowerCased = words.toLowerCase();
    const found: FoundSpans = { ids: [], searched: 0, next: null };
    if (trace === noRow) return found;
    const until = performance.now() + searchMs;
    for (const row of this.#after.iterate(trace, after)) {
      found.searched++;
      const texts = this.#context.damageReporter.read('span', row.id, () => this.#textOf(row)) ?? [];
      if (texts.some((text) => text.toLowerCase().includes(lowerCased))) found.ids.push(readStoredId(row.span_id));
      if (performance.now() < until) continue;
      found.next = cursors.encrypt('searchedSpans', scope, row.id);
      break;
    }
    return found;
  }

  #textOf(row: SpanRow): string[] {
    const { sentSpans, documents } = this.#context;
    const { name, model, status_message, metadata } = spanItemOf(row, documents);
    const content = contentOf(withLogsAsEvents(sentSpans.read(row).sent));
    const { input, output, output_object, tool_calls, props } = content;
    return [name, model ?? '', status_message, input, output, output_object, tool_calls, props, ...Object.values(metadata)];
  }
}
