/**
 * Lists show a trace whose root has no content by the input of its first call and the output of its last. To read a message history for
 * that is expensive, so of the calls of a request only the candidates get that side of a preview; the store reads another if it needs to.
 */
import type { Side } from '../normalise/index.ts';
import type { SpanData } from '../otlp/raw-span.ts';
import { previewOrNothing } from './derive-columns.ts';
import type { PreparedSpan } from './prepared.ts';

export interface Call {
  row: PreparedSpan;
  spanData: SpanData;
}

/** Remembered traces; a request of a forgotten one costs a preview that nobody shows. */
const tracesMax = 5_000;

export class CallPreviews {
  /** Start of the first call with an input, of traces in earlier requests. */
  readonly #firstInputs = new Map<string, number>();

  add(calls: readonly Call[]): void {
    for (const [traceId, traceCalls] of Map.groupBy(calls, ({ row }) => row.trace_id)) {
      traceCalls.sort((a, b) => a.row.start_us - b.row.start_us || a.row.start_rest_ns - b.row.start_rest_ns);
      const first = traceCalls.find((call) => this.#isAfterFirst(traceId, call) || preview(call, 'input') !== '');
      if (first && !this.#isAfterFirst(traceId, first)) this.#remember(traceId, first.row.start_us);
      traceCalls.findLast((call) => preview(call, 'output') !== '');
    }
  }

  #isAfterFirst(traceId: string, { row }: Call): boolean {
    return row.start_us > (this.#firstInputs.get(traceId) ?? Number.POSITIVE_INFINITY);
  }

  #remember(traceId: string, start_us: number): void {
    if (this.#firstInputs.size >= tracesMax) this.#firstInputs.clear();
    this.#firstInputs.set(traceId, start_us);
  }
}

function preview({ row, spanData }: Call, side: Side): string {
  row.preview[side] ??= previewOrNothing(spanData, side);
  return row.preview[side];
}
