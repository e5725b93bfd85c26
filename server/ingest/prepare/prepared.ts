/**
 * What the decoding thread hands to the store: every column worked out, every payload already bytes.
 * Nothing here knows which store it is.
 */
import type { SpanSummary } from '../normalise/normalised.ts';

/** A run of bytes inside `PreparedBatch.bytes`. */
export interface Slice {
  at: number;
  size: number;
}

export interface PreparedSpan {
  trace_id: string;
  span_id: string;
  parent_id: string | null;
  start_us: number;
  start_rest_ns: number;
  duration_ns: number;
  /** The sender's clock cannot be right: lists go by arrival (reliability 3.3 row 12). */
  clock_suspect: boolean;
  summary: SpanSummary;
  cost: number | null;
  cost_source: 'reported' | 'computed' | 'none';
  has_input: boolean;
  has_output: boolean;
  input_preview: string;
  output_preview: string;
  /** JSON text of the public metadata, '' when there is none. */
  metadata: string;
  /** Indexes into `PreparedBatch.owners`. */
  resource: number;
  instrumentation: number;
  /** The raw truth, as `encodeRecord` wrote it. */
  record: Slice;
  /** Long texts the record points to, in order; 16 bytes of hash stand right before each. */
  texts: Slice[];
}

export const hashSize = 16;

/** The readable spans of one request. */
export interface PreparedBatch {
  spans: PreparedSpan[];
  /** JSON texts of resources and instrumentation scopes, each once. */
  owners: string[];
  /** Records and texts, one buffer so that it changes threads without a copy. */
  bytes: Uint8Array;
  received_ms: number;
}
