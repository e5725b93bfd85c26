import { must } from '../../platform/assert.ts';
import type { SentSpan } from '../otlp/raw-span.ts';
import type { PreparedBatch, PreparedSpan, Slice } from './prepared.ts';
import { decodeRecord } from './record.ts';

/** A prepared span back in the form it was sent in. */
export function sentSpanOf({ bytes, resources }: PreparedBatch, prepared: PreparedSpan): SentSpan {
  const text = ({ at, size }: Slice) => Buffer.from(bytes.buffer, bytes.byteOffset + at, size).toString();
  const { span } = decodeRecord(text(prepared.record), prepared, (place) =>
    text(must(prepared.texts[place], 'a record points to its own texts')),
  );
  return {
    span,
    resource: JSON.parse(must(resources[prepared.resource], 'a span has a resource')),
    scope: JSON.parse(must(resources[prepared.instrumentation], 'a span has a scope')),
  };
}
