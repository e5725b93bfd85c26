/**
 * What the decoding thread hands to the store: every column worked out, every payload already bytes.
 * Nothing here knows which store it is.
 */

import type { EnvironmentAttribution } from '../../platform/environment-attribution.ts';
import type { TurnRecord } from '../agent-records/turn-record.ts';
import type { Evaluation } from '../normalise/evaluations.ts';
import type { SpanPreview, SpanSummary } from '../normalise/normalised.ts';
import type { FieldsFrom } from './span-fields.ts';

/** What rows and roll-ups are made of; the rest of a summary is worked out again when a span is read. */
export type Columns = Pick<SpanSummary, FieldsFrom<'summary'>> & Pick<SpanSummary['usage'], FieldsFrom<'usage'>>;

/** A run of bytes inside `PreparedBatch.bytes`. */
export interface Slice {
  at: number;
  size: number;
}

/** Derived columns of a span: its row without ids and payload. */
export interface SpanColumns extends Columns {
  start_us: number;
  start_rest_ns: number;
  duration_ns: number;
  /** The sender's clock cannot be right: lists go by arrival (docs/reference/ingest.md#times). */
  clock_suspect: boolean;
  cost: number | null;
  cost_source: 'reported' | 'computed' | 'none';
  /** Null for spans that will hardly speak for their trace: they are read again should they come to. */
  preview: SpanPreview | null;
  /** JSON text of the public metadata, '' when there is none. */
  metadata: string;
}

export interface PreparedSpan extends SpanColumns {
  trace_id: string;
  span_id: string;
  parent_id: string | null;
  /** Indexes into `PreparedBatch.resources`. */
  resource: number;
  instrumentation: number;
  /** The raw truth, as `encodeRecord` wrote it. */
  record: Slice;
  /** Long texts the record points to, in order; 16 bytes of hash stand right before each. */
  texts: Slice[];
}

/** A log record that belongs to a span, which may come later or be stored already, or to a turn of a coding agent. */
export interface PreparedLog {
  /** Both '' where only the turn is known. */
  trace_id: string;
  span_id: string;
  turn: TurnRecord | null;
  /** Index into `PreparedBatch.resources`; -1 where the span says it. */
  resource: number;
  /** Of the whole record, hex: the same record sent twice is one. */
  hash: string;
  /** As `encodeLog` wrote it. */
  record: Slice;
  texts: Slice[];
}

export const hashSize = 16;

/** The readable spans, or log records, of one request. */
export interface PreparedBatch {
  spans: PreparedSpan[];
  logs: PreparedLog[];
  /** Results of evaluations that came in events of the spans, or in the log records. */
  evaluations: Evaluation[];
  /** JSON texts of resources and instrumentation scopes, each once. */
  resources: string[];
  /** Records and texts, one buffer so that it changes threads without a copy. */
  bytes: Uint8Array;
  received_ms: number;
  /** Whose environment the spans are written to; null: the one they say themselves. */
  attribution: EnvironmentAttribution | null;
}
