import type { TurnRecord } from '../agent-records/turn-record.ts';
import { otlpLimits } from './limits.ts';
import type { RawLog, RawResource, SentSpan } from './raw-span.ts';

/** A span that can be stored, with what had to be adjusted to read it. */
export interface DecodedSpan extends SentSpan {
  warnings: string[];
}

/** What one request held. One bad span costs one span. */
export interface DecodedRequest {
  spans: DecodedSpan[];
  /** Why spans were refused, in the order met: `spans[3]: traceId is empty`. */
  rejected: string[];
}

/** A log record that is kept: it belongs to a span, to a turn of a coding agent, or to both. */
export interface DecodedLog {
  log: RawLog;
  turn: TurnRecord | null;
  /** What a record without a span was sent under. */
  resource: RawResource | null;
}

/** The log records of one request that are kept. */
export interface DecodedLogs {
  logs: DecodedLog[];
  /** How many of GenAI and of coding agents belong to no span and no prompt, by name. */
  unplaced: Record<string, number>;
  rejected: string[];
}

export const noLogs = (): DecodedLogs => ({ logs: [], unplaced: Object.create(null), rejected: [] });

/** The envelope cannot be read, or it is not a traces request: nothing of it is stored. */
export class UnreadableRequest extends Error {
  readonly code: 'invalid_otlp_payload' | 'protobuf_decode_failed' | 'payload_too_large';

  constructor(code: UnreadableRequest['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** Counts what a request is made of, readable or not: a list of ten million nothings must not become as many refusals. */
export function requireRoom(index: number): void {
  if (index >= otlpLimits.spansMax)
    throw new UnreadableRequest('payload_too_large', `More than ${otlpLimits.spansMax} spans or log records in one request`);
}

/** This span cannot be stored; the message names the field. */
export class UnreadableSpan extends Error {}
