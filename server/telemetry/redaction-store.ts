import type { HiddenKind, RedactionToken } from '../../shared/contract/operations/redaction.ts';
import type { SentSpan } from '../ingest/otlp/raw-span.ts';
import type { Scope } from '../platform/scope.ts';
import type { Encoded } from './encoded.ts';
import type { Origin } from './forward-store.ts';

/** Selects the spans of a preview. */
export interface PreviewQuery {
  /** Null: the newest of all. */
  trace_id: string | null;
  limit: number;
  offset: number;
}

/** Stored spans as they were sent, with their log records. */
export interface PreviewSpans {
  spans: { sent: SentSpan; origin: Origin }[];
  /** Whether there are spans after these. */
  more: boolean;
}

/** What a redaction token stands for. */
export interface Token {
  token: string;
  kind: HiddenKind;
  value: string;
}

/** The token map, and the spans that a preview of redaction is made from. */
export interface RedactionStore {
  /** Null when there is no such trace. @param withOrigins false: all origins are empty */
  previewSpans(scope: Scope, query: PreviewQuery, withOrigins: boolean): Promise<Encoded<PreviewSpans> | null>;
  /** Null when no batch with this token was ever made. */
  token(scope: Scope, token: string): Promise<Encoded<RedactionToken> | null>;
  /** Adds tokens to the map; a known one stays as it is. Durable when it resolves, all or none. */
  keepTokens(scope: Scope, tokens: readonly Token[]): Promise<void>;
}
