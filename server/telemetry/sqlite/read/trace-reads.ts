import type { GraphNode, TraceDetail, TraceItem, TraceQuery } from '../../../../shared/contract/tracing/traces.ts';
import { readId } from '../../../ingest/otlp/identifiers.ts';
import { ByteSink } from '../../../platform/byte-sink.ts';
import { Encoded } from '../../encoded.ts';
import type { Search, StatesSearch, TraceState } from '../../search-reader.ts';
import { StorageError } from '../../storage-error.ts';
import type { TraceFields } from '../../trace-reader.ts';
import { requireNumbers, requireTexts, stored, storedTags } from '../file/damaged.ts';
import { readStoredId } from '../file/id-codec.ts';
import { graphOf } from './graph.ts';
import { noRow } from './lookup.ts';
import { ReadPage } from './read-answer.ts';
import type { ReadContext } from './read-context.ts';
import { type ReadSpan, readSpanInTrace } from './span-payload.ts';
import { isVisible, metadataOf, oldestFirst, type SpanRow, spanColumns } from './span-wire.ts';
import { writeTrace } from './trace-json.ts';
import { pageOfTraces, type TraceRow } from './trace-page.ts';
import { traceItem } from './wire-items.ts';

const traceNumbers = ['start_us', 'end_us', 'latency_ns', 'cost', 'tokens', 'span_count', 'error_count', 'pending_count'] as const;

export class TraceReads {
  readonly #context: ReadContext;
  readonly #spansOf;
  readonly #findTrace;
  readonly #idsOf;
  readonly #span;

  constructor(context: ReadContext) {
    this.#context = context;
    this.#spansOf = context.db.prepare<[number], SpanRow>(
      `SELECT ${spanColumns} FROM span JOIN trace ON trace.id = span.trace WHERE span.trace = ? AND ${isVisible} ORDER BY ${oldestFirst}`,
    );
    this.#idsOf = context.db.prepare<[number], number>('SELECT id FROM span WHERE trace = ?').pluck();
    this.#span = context.db.prepare<[number], SpanRow>(
      `SELECT ${spanColumns} FROM span JOIN trace ON trace.id = span.trace WHERE span.id = ? AND ${isVisible}`,
    );
    this.#findTrace = context.db.prepare<[number], TraceRow>('SELECT * FROM trace WHERE id = ?');
  }

  list(scope: number, query: TraceQuery | Search<'traces'>): ReadPage<TraceItem> {
    const { lookup, damageReporter } = this.#context;
    const { rows, total, totalIsLowerBound } = pageOfTraces(this.#context, scope, query);
    const items = damageReporter.rows('trace', rows, (row) => traceItemOf(row, lookup.text(row.name)));
    return new ReadPage(items, total, totalIsLowerBound);
  }

  states(scope: number, query: StatesSearch): ReadPage<TraceState> {
    const { rows, total, totalIsLowerBound } = pageOfTraces(this.#context, scope, query);
    const states = this.#context.damageReporter.rows('trace', rows, stateOf);
    return new ReadPage(states, total, totalIsLowerBound);
  }

  find(scope: number, traceId: string, fields: TraceFields): Encoded<TraceDetail> | null {
    const id = this.#context.lookup.trace(scope, traceId);
    if (id === noRow) return null;
    const row = stored(this.#findTrace.get(id), `Trace row ${id}`);
    const spans = this.spansOf(id);
    this.#compare(row, traceId, spans.length);
    const spanWith = (span: number) => spans.find(({ row: { id } }) => id === span);
    const {
      input_preview: _in,
      output_preview: _out,
      tags: _tags,
      span_count: _spans,
      error_count: _errors,
      ...item
    } = traceItemOf(row, this.#context.lookup.text(row.name));
    const head: Omit<TraceDetail, 'spans'> = {
      ...item,
      metadata: metadataOf(this.#context.documents, row.metadata),
    };
    const input = spanWith(row.input_span)?.wire().input;
    const output = spanWith(row.output_span)?.wire().output;
    if (input !== undefined) head.input = input;
    if (output !== undefined) head.output = output;
    if (fields.graph) head.graph = graphOf(spans, this.#context);
    if (fields.scores) head.scores = this.#context.scores.ofTrace(scope, id);
    const sink = new ByteSink();
    writeTrace(sink, head, spans);
    return new Encoded(sink.finish());
  }

  graph(scope: number, traceId: string): GraphNode[] {
    const id = this.#context.lookup.trace(scope, traceId);
    return id === noRow ? [] : graphOf(this.spansOf(id), this.#context);
  }

  /** Spans of a trace. Those on a damaged page are left out. */
  spansOf(trace: number): ReadSpan[] {
    const { damageReporter } = this.#context;
    const rows = damageReporter.read('database', `spans of trace ${trace}`, () => this.#spansOf.all(trace)) ?? this.#oneByOne(trace);
    return damageReporter.rows('span', rows, (row) => readSpanInTrace(row, this.#context));
  }

  #oneByOne(trace: number): SpanRow[] {
    const { damageReporter } = this.#context;
    const found = this.#idsOf.all(trace).map((id) => damageReporter.read('span', id, () => this.#span.get(id)));
    return found.filter((row) => row !== null && row !== undefined);
  }

  /** Compares the number of spans with the row of the trace, because a damaged index silently omits rows. */
  #compare(row: TraceRow, traceId: string, found: number): void {
    if (readStoredId(row.trace_id) !== readId(traceId, 16)) throw new StorageError('corrupt', `The row of trace ${traceId} is damaged`);
    if (found !== row.span_count)
      this.#context.damageReporter.report('trace', row.id, `It should have ${row.span_count} spans, but ${found} were found`);
  }
}

export function traceItemOf(row: TraceRow, name: string): TraceItem {
  requireNumbers(row, traceNumbers, 'A trace');
  requireTexts(row, ['input_preview', 'output_preview'], 'A trace');
  return traceItem({ ...row, trace_id: readStoredId(row.trace_id), name, tags: storedTags(row.tags) });
}

function stateOf(row: TraceRow): TraceState {
  requireNumbers(row, ['end_us', 'pending_count'], 'A trace');
  return { id: readStoredId(row.trace_id), end_ms: row.end_us / 1000, is_running: row.pending_count > 0 };
}
