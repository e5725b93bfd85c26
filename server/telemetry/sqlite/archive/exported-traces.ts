/** Reads whole traces out of the store as OTLP/JSON texts, whole or in parts that ingest takes. */
import { exportBytesMax } from '../../../../shared/contract/core/export-limits.ts';
import { type WrittenItem, withoutEmpty, writtenLog, writtenSpan } from '../../../ingest/otlp/encode-json.ts';
import type { NoFile } from '../../archive-store.ts';
import { readStoredId } from '../file/id-codec.ts';
import { nowhere } from '../read/lookup.ts';
import type { ReadContext } from '../read/read-context.ts';
import { type SentSpanRow, sentSpanColumns } from '../read/sent-span.ts';
import { PartText } from './part-text.ts';

export interface FoundTrace {
  id: number;
  trace_id: string;
}

/** Some of the spans, or of the log records. */
export interface ExportedPart {
  kind: 'traces' | 'logs';
  /** Element of `resourceSpans` or `resourceLogs`. */
  value: string;
  count: number;
}

/** Writes one item as usual, or with nothing that a reader does without. */
type Writing = (replacer?: typeof withoutEmpty) => WrittenItem;

/** There is no file of these traces. */
export class NoFileOf extends Error {
  readonly why: NoFile;
  constructor(why: NoFile) {
    super(why.kind);
    this.why = why;
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
   * Each trace once, in order of arrival.
   * @throws NoFileOf for a trace that is not stored
   */
  find(scope: number, traceIds: readonly string[]): FoundTrace[] {
    const found = new Set(
      traceIds.map((trace_id) => {
        const id = this.#context.lookup.trace(scope, trace_id);
        if (id === nowhere) throw new NoFileOf({ kind: 'missing', trace_id });
        return id;
      }),
    );
    return [...found].sort((a, b) => a - b).map((id) => ({ id, trace_id: readStoredId(this.#traceId.get(id)) }));
  }

  /**
   * Spans, then log records: in as many parts as ingest needs to take each, or all of a kind in one.
   * @throws NoFileOf when all together are too large, or one item is for every part
   */
  *parts(traces: readonly FoundTrace[], areBounded: boolean): Generator<ExportedPart> {
    let before = 0;
    for (const [kind, items] of [['traces', this.#spansOf(traces)] as const, ['logs', this.#logsOf(traces)] as const]) {
      let part = new PartText(areBounded);
      for (const write of items) {
        if (!part.take(write())) {
          if (part.count > 0) yield { kind, value: part.value, count: part.count };
          before += part.length;
          part = new PartText(areBounded);
          if (!part.take(write()) && !part.take(write(withoutEmpty))) throw new NoFileOf({ kind: 'too_large' });
        }
        if (before + part.length > exportBytesMax) throw new NoFileOf({ kind: 'too_large' });
      }
      if (part.count > 0) yield { kind, value: part.value, count: part.count };
      before += part.length;
    }
  }

  *#spansOf(traces: readonly FoundTrace[]): Generator<Writing> {
    for (const { id } of traces) {
      for (const row of this.#spans.iterate(id)) {
        const { sent } = this.#context.sentSpans.read({ ...row, flags: 0 });
        yield (replacer) => writtenSpan(sent, replacer);
      }
    }
  }

  /** Log records, span by span. */
  *#logsOf(traces: readonly FoundTrace[]): Generator<Writing> {
    for (const { id, trace_id } of traces) {
      for (const span_id of this.#logged.all(id)) {
        for (const log of this.#context.sentSpans.logsOf(id, { trace_id, span_id: readStoredId(span_id) }))
          yield (replacer) => writtenLog(log, replacer);
      }
    }
  }
}
