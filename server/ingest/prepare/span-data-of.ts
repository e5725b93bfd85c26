import { must } from '../../platform/assert.ts';
import type { SpanData } from '../otlp/raw-span.ts';
import type { PreparedBatch, PreparedSpan, Slice } from './prepared.ts';
import { decodeRecord } from './record.ts';

/** Decodes a prepared span. @param check is given each of its long texts, and returns it or throws */
export function spanDataOf(
  { bytes, resources }: PreparedBatch,
  prepared: PreparedSpan,
  check: (text: string) => string = (longText) => longText,
): SpanData {
  const text = ({ at, size }: Slice) => Buffer.from(bytes.buffer, bytes.byteOffset + at, size).toString();
  const { span } = decodeRecord(text(prepared.record), prepared, (index) =>
    check(text(must(prepared.texts[index], 'a record refers to its own texts'))),
  );
  return {
    span,
    resource: JSON.parse(must(resources[prepared.resource], 'a span has a resource')),
    scope: JSON.parse(must(resources[prepared.instrumentation], 'a span has a scope')),
  };
}
