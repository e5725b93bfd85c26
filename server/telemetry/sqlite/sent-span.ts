/** Reads a stored span back into the form it was sent in. */
import type { RawResource, RawScope, SentSpan } from '../../ingest/otlp/raw-span.ts';
import type { Documents } from './documents.ts';
import { readStoredId } from './id-codec.ts';
import type { RecordReader } from './record-reader.ts';
import type { Place } from './write/block-builder.ts';

export interface SentSpanRow extends Place {
  trace_id: unknown;
  span_id: unknown;
  parent_id: unknown;
  resource: number;
  instrumentation: number;
}

/** Selects a SentSpanRow from `span`. */
export const sentSpanColumns = `(SELECT trace_id FROM trace WHERE trace.id = span.trace) AS trace_id,
  span.span_id, span.parent_id, span.resource, span.instrumentation, span.block, span.at, span.size`;

export function readSentSpan(row: SentSpanRow, records: RecordReader, documents: Documents): { sent: SentSpan; warnings: string[] } {
  const ids = {
    trace_id: readStoredId(row.trace_id),
    span_id: readStoredId(row.span_id),
    parent_id: row.parent_id === null ? null : readStoredId(row.parent_id),
  };
  const { span, warnings } = records.span(row, ids);
  const resource = documents.parsed(row.resource) as RawResource;
  const scope = documents.parsed(row.instrumentation) as RawScope;
  return { sent: { span, resource, scope }, warnings };
}
