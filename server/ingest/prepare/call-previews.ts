/**
 * Lists show a trace whose root has no content by the input of its first call and the output of its last. To read a message history for
 * that is expensive, so of the calls of a request only the candidates get a preview; the store reads another call if it needs to.
 */
import type { SpanPreview } from '../normalise/normalised.ts';
import type { SpanData } from '../otlp/raw-span.ts';
import { previewOrNothing } from './derive-columns.ts';
import type { PreparedSpan } from './prepared.ts';

export interface Call {
  row: PreparedSpan;
  spanData: SpanData;
}

export function addPreviews(calls: readonly Call[]): void {
  for (const traceCalls of Map.groupBy(calls, ({ row }) => row.trace_id).values()) {
    traceCalls.sort((a, b) => a.row.start_us - b.row.start_us || a.row.start_rest_ns - b.row.start_rest_ns);
    traceCalls.find((call) => preview(call).input !== '');
    traceCalls.findLast((call) => preview(call).output !== '');
  }
}

function preview({ row, spanData }: Call): SpanPreview {
  row.preview ??= previewOrNothing(spanData);
  return row.preview;
}
