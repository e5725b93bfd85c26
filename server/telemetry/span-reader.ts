import type { SpanIo, SpanItem, SpanQuery } from '../../shared/contract/spans.ts';
import type { RawSpanReply } from '../../shared/contract/viewer.ts';
import type { Scope } from '../platform/scope.ts';
import type { Encoded, Page } from './encoded.ts';

/** The bytes of an image, a sound, a film or a file that a payload carries. */
export interface SpanMedia {
  bytes: Uint8Array<ArrayBuffer>;
  /** The type on which the sender and the bytes themselves agree; '' when there is none, and the bytes may only be saved. */
  type: string;
}

export interface SpanReader {
  /** Newest first; ties break on arrival. */
  list(scope: Scope, query: SpanQuery): Promise<Page<SpanItem>>;
  /** Oldest first; empty when the trace is unknown. */
  ofTrace(scope: Scope, traceId: string): Promise<Encoded<SpanItem[]>>;
  /** Payloads whole, however large. Null unless that span is in that trace. */
  io(scope: Scope, traceId: string, spanId: string): Promise<Encoded<SpanIo> | null>;
  /** The trace of each span, in the order asked; null for a span that is unknown. Of two spans with one id, the later one. */
  tracesOf(scope: Scope, spanIds: readonly string[]): Promise<Encoded<(string | null)[]>>;
  /** Exactly what was received. Null unless that span is in that trace. */
  raw(scope: Scope, traceId: string, spanId: string): Promise<Encoded<RawSpanReply> | null>;
  /** Bytes by their hash, in whatever form the payload carries them. Null unless that span is in that trace and has them. */
  media(scope: Scope, traceId: string, spanId: string, sha256: string): Promise<SpanMedia | null>;
}
