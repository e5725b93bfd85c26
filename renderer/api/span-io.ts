/** The whole payload of a span, read by the web worker, for spans whose preview is truncated. */
import { pathOf } from '../../shared/client.ts';
import { type SpanInTrace, type SpanIo, spans } from '../../shared/contract/tracing/spans.ts';
import type { Truncated } from '../model/trace/truncate-texts.ts';
import { readTruncated } from './documents.ts';

/** Longer payloads are shown by the web worker's viewer and not as messages, because parsing them here would block the page. */
const payloadCharsMax = 4_000_000;

const payloadFields = ['input', 'output', 'output_object', 'tool_calls'] as const;
export type PayloadField = (typeof payloadFields)[number];

export const ioPath = (traceId: string, spanId: string) => pathOf(spans.io.path, { traceId, spanId });

/** Fields of more than 4,000,000 characters are cut, and listed in `cuts`. */
export const readPayloads = (traceId: string, spanId: string): Promise<Truncated<SpanIo>> =>
  readTruncated<SpanIo>(ioPath(traceId, spanId), payloadCharsMax);

/** The span with its whole payloads. A field that is too large stays a preview. */
export function withPayloads<T extends SpanInTrace>(span: T, { value, cuts }: Truncated<SpanIo>): T {
  const isCut = (field: PayloadField) => cuts.some(({ path }) => path[0] === field);
  const pick = (field: PayloadField) => (isCut(field) ? span[field] : (value[field] ?? ''));
  return { ...span, ...Object.fromEntries(payloadFields.map((field) => [field, pick(field)])) };
}
