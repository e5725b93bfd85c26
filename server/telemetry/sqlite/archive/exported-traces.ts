/** Reads complete traces as OTLP/JSON, in one text or in parts within the limits of ingest. */
import { exportBytesMax } from '../../../../shared/contract/core/export-limits.ts';
import { type WrittenItem, withoutEmpty, writtenLog, writtenSpan } from '../../../ingest/otlp/encode-json.ts';
import type { ExportProblem } from '../../archive-store.ts';
import { readStoredId } from '../file/id-codec.ts';
import { noRow } from '../read/lookup.ts';
import type { ReadContext } from '../read/read-context.ts';
import { type SentSpanRow, sentSpanColumns } from '../read/sent-span.ts';
import { PartText } from './part-text.ts';

export interface FoundTrace {
  id: number;
  trace_id: string;
}

/** A part of the spans, or of the log records. */
export interface ExportedPart {
  kind: 'traces' | 'logs';
  /** Element of `resourceSpans` or `resourceLogs`. */
  value: string;
  count: number;
}

/** Writes one item, completely or without its empty fields. */
type ItemWriter = (replacer?: typeof withoutEmpty) => WrittenItem;

/** These traces cannot be exported. */
export class ExportRefusal extends Error {
  readonly problem: ExportProblem;
  constructor(problem: ExportProblem) {
    super(problem.kind);
    this.problem = problem;
  }
}

export class ExportedTraces {
  readonly #context: ReadContext;
  readonly #spans;
  readonly #logged;
  readonly #traceId;

  constructor(context: ReadContext) {
    this.#context = context;
    const { db } = context;
    this.#spans = db.prepare<[number], SentSpanRow>(`SELECT ${sentSpanColumns} FROM span WHERE span.trace = ? ORDER BY span.id`);
    this.#logged = db.prepare<[number], unknown>('SELECT span_id FROM span_log WHERE trace = ? GROUP BY span_id ORDER BY min(id)').pluck();
    this.#traceId = db.prepare<[number], unknown>('SELECT trace_id FROM trace WHERE id = ?').pluck();
  }

  /**
   * Returns each trace once, in order of arrival.
   * @throws ExportRefusal for a trace that is not stored
   */
  find(scope: number, traceIds: readonly string[]): FoundTrace[] {
    const found = new Set(
      traceIds.map((trace_id) => {
        const id = this.#context.lookup.trace(scope, trace_id);
        if (id === noRow) throw new ExportRefusal({ kind: 'missing', trace_id });
        return id;
      }),
    );
    return [...found].sort((a, b) => a - b).map((id) => ({ id, trace_id: readStoredId(this.#traceId.get(id)) }));
  }

  /**
   * Yields spans, then log records: in parts within the limits of ingest, or each kind in one part.
   * @throws ExportRefusal when the total is too large, or one item is too large for any part
   */
  *parts(traces: readonly FoundTrace[], isLimited: boolean): Generator<ExportedPart> {
    let writtenLength = 0;
    for (const [kind, items] of [['traces', this.#spansOf(traces)] as const, ['logs', this.#logsOf(traces)] as const]) {
      let part = new PartText(isLimited);
      for (const write of items) {
        if (!part.add(write())) {
          if (part.count > 0) yield { kind, value: part.value, count: part.count };
          writtenLength += part.length;
          part = new PartText(isLimited);
          if (!part.add(write()) && !part.add(write(withoutEmpty))) throw new ExportRefusal({ kind: 'too_large' });
        }
        if (writtenLength + part.length > exportBytesMax) throw new ExportRefusal({ kind: 'too_large' });
      }
      if (part.count > 0) yield { kind, value: part.value, count: part.count };
      writtenLength += part.length;
    }
  }

  *#spansOf(traces: readonly FoundTrace[]): Generator<ItemWriter> {
    for (const { id } of traces) {
      for (const row of this.#spans.iterate(id)) {
        const { sent } = this.#context.sentSpans.read({ ...row, flags: 0 });
        yield (replacer) => writtenSpan(sent, replacer);
      }
    }
  }

  /** Log records by span. */
  *#logsOf(traces: readonly FoundTrace[]): Generator<ItemWriter> {
    for (const { id, trace_id } of traces) {
      for (const span_id of this.#logged.all(id)) {
        for (const log of this.#context.sentSpans.logsOf(id, { trace_id, span_id: readStoredId(span_id) }))
          yield (replacer) => writtenLog(log, replacer);
      }
    }
  }
}
