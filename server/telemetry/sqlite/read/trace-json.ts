/**
 * Encodes a trace as JSON span by span. A trace of 10,000 spans is 24 MB of text; as a tree of values it would need five times that, all at
 * once.
 */
import type { ByteSink } from '../../../platform/byte-sink.ts';
import type { ReadSpan } from './span-payload.ts';

/** @param head fields other than `spans`, at least one */
export function writeTrace(sink: ByteSink, head: object, spans: ReadSpan[]): void {
  sink.text(`${JSON.stringify(head).slice(0, -1)},"spans":`);
  writeList(sink, spans, (span) => sink.text(JSON.stringify(span.wire())));
  sink.text('}');
}

/** @param write writes one item to the sink */
export function writeList<T>(sink: ByteSink, items: T[], write: (item: T) => void): void {
  sink.text('[');
  items.forEach((item, index) => {
    if (index > 0) sink.text(',');
    write(item);
  });
  sink.text(']');
}
