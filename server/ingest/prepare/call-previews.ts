/**
 * What lists show of a trace whose root has nothing to show is the input of its first call and the output of its last. To read
 * a history for that is dear, so among the calls of a request only those are looked at that may come to speak for their trace;
 * should another have to, the store looks at it then.
 */
import type { SpanPreview } from '../normalise/normalised.ts';
import type { SentSpan } from '../otlp/raw-span.ts';
import { previewOrNothing } from './derive-columns.ts';
import type { PreparedSpan } from './prepared.ts';

export interface Call {
  row: PreparedSpan;
  sent: SentSpan;
}

export function addPreviews(calls: readonly Call[]): void {
  for (const ofTrace of Map.groupBy(calls, ({ row }) => row.trace_id).values()) {
    ofTrace.sort((a, b) => a.row.start_us - b.row.start_us || a.row.start_rest_ns - b.row.start_rest_ns);
    ofTrace.find((call) => preview(call).input !== '');
    ofTrace.findLast((call) => preview(call).output !== '');
  }
}

function preview({ row, sent }: Call): SpanPreview {
  row.preview ??= previewOrNothing(sent);
  return row.preview;
}
