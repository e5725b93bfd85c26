import type { TurnRecord } from '../agent-records/turn-record.ts';
import { otlpLimits } from './limits.ts';
import type { RawLog, RawResource, SpanData } from './raw-span.ts';

/** A span that can be stored, with warnings about values that were adjusted. */
export interface DecodedSpan extends SpanData {
  warnings: string[];
}

/** The content of a request. An unreadable span is rejected alone. */
export interface DecodedRequest {
  spans: DecodedSpan[];
  /** Reasons of rejected spans, in their order: `spans[3]: traceId is empty`. */
  rejected: string[];
}

/** A log record to store: it belongs to a span, to a turn of a coding agent, or to both. */
export interface DecodedLog {
  log: RawLog;
  turn: TurnRecord | null;
  /** The resource of a record without a span. */
  resource: RawResource | null;
}

/** The log records of one request that are stored. */
export interface DecodedLogs {
  logs: DecodedLog[];
  /** Number of GenAI and agent records that belong to no span and no prompt, by name. */
  unmatched: Record<string, number>;
  rejected: string[];
}

export const emptyLogs = (): DecodedLogs => ({ logs: [], unmatched: Object.create(null), rejected: [] });

/** The request cannot be read, or is of another signal: nothing of it is stored. */
export class UnreadableRequest extends Error {
  readonly code: 'invalid_otlp_payload' | 'protobuf_decode_failed' | 'payload_too_large';

  constructor(code: UnreadableRequest['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** Limits the items of a request, readable or not: a list of ten million invalid items must not become as many rejections. */
export function requireBelowLimit(index: number): void {
  if (index >= otlpLimits.spansMax)
    throw new UnreadableRequest('payload_too_large', `More than ${otlpLimits.spansMax} spans or log records in one request`);
}

/** This span cannot be stored; the message names the field. */
export class UnreadableSpan extends Error {}
