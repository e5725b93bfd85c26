/**
 * What is kept by column, as SQL of a row. Absent texts and documents are 0, and so are absent numbers: filters and sums take them so. Each has
 * a number, which is never reused while `version` stays.
 */
import { flag } from '../file/codes.ts';

/** Of the columns and their encoding: segments of another version are made again. */
export const version = 4;

/** Rows of a segment. The triggers of migration 18 know it, too. Rows of traces are wide, so fewer of them may be outside segments. */
const rowsOf = { span: 2 ** 14, trace: 2 ** 12 } as const;
/** Rows of the largest segment. */
export const rowsMax = rowsOf.span;

const spanColumns = {
  /** 0 for rows that lists never show: placeholders, and those that are not there. */
  scope: `iif((span.flags & ${flag.placeholder}) = 0, span.scope, 0)`,
  trace: 'span.trace',
  start_us: 'span.start_us',
  duration_ns: 'span.duration_ns',
  status: 'span.status',
  type: 'span.type',
  kind: 'span.kind',
  flags: 'span.flags',
  name: 'span.name',
  model: 'coalesce(span.model, 0)',
  user: 'coalesce(span.user, 0)',
  session: 'coalesce(span.session, 0)',
  prompt: 'coalesce(span.prompt, 0)',
  tags: 'coalesce(span.tags, 0)',
  metadata: 'coalesce(span.metadata, 0)',
  input_tokens: 'coalesce(span.input_tokens, 0)',
  output_tokens: 'coalesce(span.output_tokens, 0)',
  tokens: 'coalesce(span.tokens, coalesce(span.input_tokens, 0) + coalesce(span.output_tokens, 0))',
  cost: 'coalesce(span.cost, 0)',
  /** Of the id (id-hash.ts). */
  id_hash: 'id_hash(span.span_id)',
  service: 'coalesce(span.service, 0)',
  /** -1 for none: no time is a short time. */
  ttft_us: 'coalesce(span.ttft_us, -1)',
  cache_read_tokens: 'coalesce(span.cache_read_tokens, 0)',
  cache_write_tokens: 'coalesce(span.cache_write_tokens, 0)',
} as const;

const traceColumns = {
  /** 0 for rows without visible spans, and those that are not there. */
  scope: 'iif(trace.span_count > 0, trace.scope, 0)',
  listed_us: 'trace.listed_us',
  start_us: 'trace.start_us',
  latency_ns: 'trace.latency_ns',
  status: 'trace.status',
  bookkeeping: 'trace.bookkeeping',
  name: 'trace.name',
  user: 'trace.user',
  session: 'trace.session',
  prompt: 'trace.prompt_name',
  span_count: 'trace.span_count',
  input_tokens: 'trace.input_tokens',
  output_tokens: 'trace.output_tokens',
  tokens: 'trace.tokens',
  cost: 'trace.cost',
  error_count: 'trace.error_count',
} as const;

export type SpanColumn = keyof typeof spanColumns;
export type TraceColumn = keyof typeof traceColumns;

export interface StoredResource {
  number: 1 | 2;
  table: 'span' | 'trace';
  /** Rows of a segment: row ids divided by it are the number of the segment. */
  rows: number;
  columns: Readonly<Record<string, string>>;
}

export const spanResource: StoredResource = { number: 1, table: 'span', rows: rowsOf.span, columns: spanColumns };
export const traceResource: StoredResource = { number: 2, table: 'trace', rows: rowsOf.trace, columns: traceColumns };

/** Chunks beside those of columns, by their place. */
const placesBeside: Readonly<Record<string, number>> = { metadata_terms: 62, call_sums: 61 };
/** Which metadata the documents of a segment hold (metadata-terms.ts). */
export const metadataTerms = 'metadata_terms';
/** Calls of a segment by the hour (call-sums.ts). */
export const callSums = 'call_sums';

/** Row id of a chunk. The chunks of one column follow each other by segment. */
export function chunkId({ number, columns }: StoredResource, column: string, segment: number): number {
  const place = placesBeside[column] ?? Object.keys(columns).indexOf(column);
  return (number * 64 + place) * 2 ** 32 + segment;
}
