import type { HiddenKind, RedactionToken } from '../../shared/contract/operations/redaction.ts';
import type { SpanData } from '../ingest/otlp/raw-span.ts';
import type { Scope } from '../platform/scope.ts';
import type { Encoded } from './encoded.ts';
import type { Origin } from './forward-store.ts';

/** Selects the spans of a preview. */
export interface PreviewQuery {
  /** Null: the newest spans of all traces. */
  trace_id: string | null;
  limit: number;
  offset: number;
}

/** Stored spans as they were received, with their log records. */
export interface PreviewSpans {
  spans: { sent: SpanData; origin: Origin }[];
  /** Whether more spans follow. */
  more: boolean;
}

/** A redaction token with the value that it replaces. */
export interface Token {
  token: string;
  kind: HiddenKind;
  value: string;
}

/** The token map, and spans for previews of redaction. */
export interface RedactionStore {
  /** Null for an unknown trace. @param withOrigins false: all origins are empty */
  previewSpans(scope: Scope, query: PreviewQuery, withOrigins: boolean): Promise<Encoded<PreviewSpans> | null>;
  /** Null for a token that was never stored. */
  token(scope: Scope, token: string): Promise<Encoded<RedactionToken> | null>;
  /** Adds tokens to the map, without changing known ones. Durable when it resolves, all or none. */
  keepTokens(scope: Scope, tokens: readonly Token[]): Promise<void>;
}
