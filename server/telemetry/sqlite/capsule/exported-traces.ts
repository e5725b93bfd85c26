/** Reads whole traces out of the store as OTLP/JSON texts of a bearable size. */
import { exportBytesMax } from '../../../../shared/contract/export-limits.ts';
import type { RawLog } from '../../../ingest/otlp/raw-span.ts';
import type { NoFile } from '../../capsule-store.ts';
import { readStoredId } from '../id-codec.ts';
import { nowhere } from '../read/lookup.ts';
import type { Reading } from '../read/reader.ts';
import { type SentSpanRow, sentSpanColumns } from '../sent-span.ts';
import { OtlpText, resourceLogs } from './otlp-text.ts';

export interface FoundTrace {
  id: number;
  trace_id: string;
}

/** There is no file of these traces. */
export class NoFileOf extends Error {
  readonly why: NoFile;
  constructor(why: NoFile) {
    super(why.kind);
    this.why = why;
  }
}

export class ExportedTraces {
  readonly #reading: Reading;
  readonly #spans;
  readonly #logged;
  readonly #traceId;

  constructor(reading: Reading) {
    this.#reading = reading;
    const { db } = reading;
    this.#spans = db.prepare<[number], SentSpanRow>(`SELECT ${sentSpanColumns} FROM span WHERE span.trace = ? ORDER BY span.id`);
    this.#logged = db.prepare<[number], unknown>('SELECT span_id FROM span_log WHERE trace = ? GROUP BY span_id ORDER BY min(id)').pluck();
    this.#traceId = db.prepare<[number], unknown>('SELECT trace_id FROM trace WHERE id = ?').pluck();
  }

  /**
   * Each once, in the order in which they came.
   * @throws NoFileOf for one that is not stored
   */
  find(scope: number, traceIds: readonly string[]): FoundTrace[] {
    const found = new Set(
      traceIds.map((trace_id) => {
        const id = this.#reading.lookup.trace(scope, trace_id);
        if (id === nowhere) throw new NoFileOf({ kind: 'missing', trace_id });
        return id;
      }),
    );
    return [...found].sort((a, b) => a - b).map((id) => ({ id, trace_id: readStoredId(this.#traceId.get(id)) }));
  }

  /**
   * The spans as values of `resourceSpans`, cut where one would grow beyond `partLength`.
   * @throws NoFileOf when all together are too large
   */
  *spans(traces: readonly FoundTrace[], partLength: number): Generator<{ text: string; count: number }> {
    let text = new OtlpText();
    let before = 0;
    for (const { id } of traces) {
      for (const row of this.#spans.iterate(id)) {
        text.add(this.#reading.sentSpans.read({ ...row, flags: 0 }).sent);
        if (before + text.length > exportBytesMax) throw new NoFileOf({ kind: 'too_large' });
        if (text.length < partLength) continue;
        before += text.length;
        yield { text: text.resourceSpans(), count: text.count };
        text = new OtlpText();
      }
    }
    if (text.count > 0) yield { text: text.resourceSpans(), count: text.count };
  }

  /** The log records of their spans as a value of `resourceLogs`; '' for none. */
  logs(traces: readonly FoundTrace[]): { text: string; count: number } {
    const logs: RawLog[] = traces.flatMap(({ id, trace_id }) =>
      this.#logged.all(id).flatMap((span_id) => this.#reading.sentSpans.logsOf(id, { trace_id, span_id: readStoredId(span_id) })),
    );
    return { text: resourceLogs(logs), count: logs.length };
  }
}
