import type { GraphNode, TraceDetail, TraceItem, TraceQuery } from '../../../../shared/contract/traces.ts';
import { must } from '../../../platform/assert.ts';
import { ByteSink } from '../../../platform/byte-sink.ts';
import type { Search } from '../../search-reader.ts';
import type { TraceFields } from '../../trace-reader.ts';
import { statuses } from '../codes.ts';
import { readStoredId } from '../id-codec.ts';
import { graphOf } from './graph.ts';
import { nowhere } from './lookup.ts';
import type { ReadAnswer, Reading } from './reader.ts';
import { type ReadSpan, readSpanInTrace } from './span-payload.ts';
import { isoOf, metadataOf, oldestFirst, type SpanRow, shown, spanColumns } from './span-wire.ts';
import { writeTrace } from './trace-json.ts';
import { pageOfTraces, type TraceRow } from './trace-page.ts';

export class TraceReads {
  readonly #reading: Reading;
  readonly #spansOf;
  readonly #findTrace;

  constructor(reading: Reading) {
    this.#reading = reading;
    this.#spansOf = reading.db.prepare<[number], SpanRow>(
      `SELECT ${spanColumns} FROM span JOIN trace ON trace.id = span.trace WHERE span.trace = ? AND ${shown} ORDER BY ${oldestFirst}`,
    );
    this.#findTrace = reading.db.prepare<[number], TraceRow>('SELECT * FROM trace WHERE id = ?');
  }

  list(scope: number, query: TraceQuery | Search<'traces'>): ReadAnswer {
    const { lookup } = this.#reading;
    const { rows, total } = pageOfTraces(this.#reading, scope, query);
    return { value: rows.map((row) => traceItemOf(row, lookup.text(row.name))), total };
  }

  find(scope: number, traceId: string, fields: TraceFields): ReadAnswer {
    const id = this.#reading.lookup.trace(scope, traceId);
    if (id === nowhere) return { value: null, total: 0 };
    const row = must(this.#findTrace.get(id), `trace row ${id} is stored`);
    const spans = this.spansOf(id);
    const speaking = (span: number) => spans.find((each) => each.row.id === span);
    const {
      input_preview: _in,
      output_preview: _out,
      tags: _tags,
      span_count: _spans,
      error_count: _errors,
      ...item
    } = traceItemOf(row, this.#reading.lookup.text(row.name));
    const head: Omit<TraceDetail, 'spans'> = {
      ...item,
      metadata: metadataOf(this.#reading.documents, row.metadata),
    };
    const input = speaking(row.input_span)?.wire().input;
    const output = speaking(row.output_span)?.wire().output;
    if (input !== undefined) head.input = input;
    if (output !== undefined) head.output = output;
    if (fields.graph) head.graph = graphOf(spans);
    if (fields.scores) head.scores = this.#reading.scores.ofTrace(scope, id);
    const sink = new ByteSink();
    writeTrace(sink, head, spans);
    return { json: sink.finish(), total: 0 };
  }

  graph(scope: number, traceId: string): GraphNode[] {
    const id = this.#reading.lookup.trace(scope, traceId);
    return id === nowhere ? [] : graphOf(this.spansOf(id));
  }

  spansOf(trace: number): ReadSpan[] {
    return this.#spansOf.all(trace).map((row) => readSpanInTrace(row, this.#reading));
  }
}

export function traceItemOf(row: TraceRow, name: string): TraceItem {
  const item: TraceItem = {
    id: readStoredId(row.trace_id),
    name,
    status: statuses[row.status] ?? 'UNSET',
    start: isoOf(row.start_us),
    end: isoOf(row.end_us),
    latency_ms: row.latency_ns / 1e6,
    cost: row.cost,
    tokens: row.tokens,
    span_count: row.span_count,
    error_count: row.error_count,
    tags: JSON.parse(row.tags) as string[],
  };
  if (row.input_preview !== '') item.input_preview = row.input_preview;
  if (row.output_preview !== '') item.output_preview = row.output_preview;
  return item;
}
