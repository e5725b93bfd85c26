/** Where things were sent from, as the store understands it now. Asked only for destinations that take not everything. */

import { summarise } from '../../../ingest/normalise/index.ts';
import { readId } from '../../../ingest/otlp/identifiers.ts';
import type { SentSpan } from '../../../ingest/otlp/raw-span.ts';
import type { EnvironmentStamp } from '../../../platform/environment-stamp.ts';
import type { Origin } from '../../forward-store.ts';
import { storedTags } from '../damaged.ts';
import { storeId } from '../id-codec.ts';
import type { ReadContext } from '../read/read-context.ts';
import { tracesOfSpans } from '../read/span-places.ts';
import { type SentSpanRow, sentSpanColumns } from '../sent-span.ts';

/** Of what belongs to no trace that is here. */
export const unknownOrigin: Origin = { environment: '', tags: [] };

export class Origins {
  readonly #context: ReadContext;
  readonly #tags;
  readonly #span;
  readonly #root;
  readonly #trace;

  constructor(context: ReadContext) {
    this.#context = context;
    const { db } = context;
    this.#tags = db.prepare<[number], string>('SELECT tags FROM trace WHERE id = ?').pluck();
    this.#span = db.prepare<[number, unknown], SentSpanRow>(
      `SELECT ${sentSpanColumns} FROM span WHERE span.trace = ? AND span.span_id = ?`,
    );
    this.#root = db.prepare<[number], SentSpanRow>(
      `SELECT ${sentSpanColumns} FROM span WHERE span.trace = ? ORDER BY span.parent_id IS NOT NULL, span.start_us, span.id LIMIT 1`,
    );
    this.#trace = db.prepare<[number, unknown], number>('SELECT id FROM trace WHERE scope = ? AND trace_id = ?').pluck();
  }

  ofSpan(trace: number, sent: SentSpan, stamp: EnvironmentStamp | null): Origin {
    return { environment: stamp?.name ?? summarise(sent).environment, tags: this.#tagsOf(trace) };
  }

  /** Of a log record: that of its span, which may not be here yet. */
  ofSpanId(trace: number, spanId: unknown): Origin {
    const row = this.#span.get(trace, spanId);
    return row ? this.#ofRow(row) : { ...unknownOrigin, tags: this.#tagsOf(trace) };
  }

  /** Of a score: that of the span, or of the root of the trace, that it was given to. */
  ofResource(scope: number, resource: string): Origin {
    const id = readId(resource, 16);
    const trace = id === null ? undefined : this.#trace.get(scope, storeId(id));
    if (trace !== undefined) {
      const root = this.#root.get(trace);
      return root ? this.#ofRow(root) : unknownOrigin;
    }
    const spanId = readId(resource, 8);
    const [traceId = null] = spanId === null ? [] : tracesOfSpans(this.#context.db, scope, [resource]);
    const itsTrace = traceId === null ? undefined : this.#trace.get(scope, storeId(traceId));
    return itsTrace === undefined || spanId === null ? unknownOrigin : this.ofSpanId(itsTrace, storeId(spanId));
  }

  #ofRow(row: SentSpanRow): Origin {
    const { sent, stamp } = this.#context.sentSpans.read({ ...row, flags: 0 });
    return this.ofSpan(row.trace, sent, stamp);
  }

  #tagsOf(trace: number): string[] {
    return storedTags(this.#tags.get(trace) ?? '[]');
  }
}
