import type { RedactionPreview, RedactionToken } from '../../shared/contract/redaction.ts';
import type { Scope } from '../platform/scope.ts';
import type { RedactionSetting } from '../redaction/redaction-processor.ts';
import type { Encoded } from './encoded.ts';

/** Selects the spans of a preview. */
export interface PreviewQuery {
  /** Null: the newest of all. */
  trace_id: string | null;
  limit: number;
  offset: number;
}

/** Preview of redaction on stored spans, and the token map. */
export interface RedactionStore {
  /** Null for an unknown trace. Writes nothing: tokens of a preview are not stored. */
  preview(scope: Scope, query: PreviewQuery, redaction: RedactionSetting): Promise<Encoded<RedactionPreview> | null>;
  /** Null when no batch with this token was ever made. */
  token(scope: Scope, token: string): Promise<Encoded<RedactionToken> | null>;
}
