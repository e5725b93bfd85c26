/**
 * The batch that the decode thread sends to the store: columns are derived and payloads encoded.
 * It does not depend on the kind of store.
 */

import type { EnvironmentAttribution } from '../../platform/environment-attribution.ts';
import type { TurnRecord } from '../agent-records/turn-record.ts';
import type { Evaluation } from '../normalise/evaluations.ts';
import type { CallHashes } from '../normalise/index.ts';
import type { SpanSummary } from '../normalise/normalised.ts';
import type { FieldsFrom } from './span-fields.ts';

/** The parts of a summary that rows and roll-ups store; the rest is derived again when a span is read. */
export type Columns = Pick<SpanSummary, FieldsFrom<'summary'>> & Pick<SpanSummary['usage'], FieldsFrom<'usage'>>;

/** A byte range of `PreparedBatch.bytes`. */
export interface Slice {
  at: number;
  size: number;
}

/** The preview of a span on arrival. A side is null where lists are unlikely to show it: the store reads it from the span if needed. */
export interface ArrivalPreview {
  input: string | null;
  output: string | null;
}

/** Derived columns of a span: its row without ids and payload. */
export interface SpanColumns extends Columns {
  start_us: number;
  start_rest_ns: number;
  duration_ns: number;
  /** The sender's clock is implausible: lists use the time of arrival (docs/reference/ingest.md#times). */
  clock_suspect: boolean;
  cost: number | null;
  cost_source: 'reported' | 'computed' | 'none';
  preview: ArrivalPreview;
  /** JSON text of the public metadata, '' when there is none. */
  metadata: string;
}

export interface PreparedSpan extends SpanColumns, CallHashes {
  trace_id: string;
  span_id: string;
  parent_id: string | null;
  /** Indexes into `PreparedBatch.resources`. */
  resource: number;
  instrumentation: number;
  /** The raw span, as written by `encodeRecord`. */
  record: Slice;
  /** Long texts that the record refers to, in order. The 16 bytes before each are its hash. */
  texts: Slice[];
}

/** A log record that belongs to a span, which may come later or be stored already, or to a turn of a coding agent. */
export interface PreparedLog {
  /** Both '' if only the turn is known. */
  trace_id: string;
  span_id: string;
  turn: TurnRecord | null;
  /** Index into `PreparedBatch.resources`; -1 for a record with a span, which has its own resource. */
  resource: number;
  /** Hash of the whole record, hex: a record that is sent twice is stored once. */
  hash: string;
  /** As written by `encodeLog`. */
  record: Slice;
  texts: Slice[];
}

export const hashSize = 16;

/** The readable spans, or log records, of one request. */
export interface PreparedBatch {
  spans: PreparedSpan[];
  logs: PreparedLog[];
  /** Results of evaluations in events of the spans or in log records. */
  evaluations: Evaluation[];
  /** JSON texts of resources and instrumentation scopes, each once. */
  resources: string[];
  /** Records and texts, in one buffer that can be transferred to another thread. */
  bytes: Uint8Array;
  received_ms: number;
  /** The environment that the spans are attributed to; null: the one that each span names. */
  attribution: EnvironmentAttribution | null;
}
