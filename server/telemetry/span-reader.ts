import type { RawSpanReply } from '../../shared/contract/raw-span.ts';
import type { SpanIo, SpanItem, SpanQuery } from '../../shared/contract/spans.ts';
import type { FoundSpans, SpanPreview } from '../../shared/contract/trace-outline.ts';
import type { Scope } from '../platform/scope.ts';
import type { Encoded, EncodedPage } from './encoded.ts';

/** The bytes of an image, a sound, a film or a file that a payload carries. */
export interface SpanMedia {
  bytes: Uint8Array<ArrayBuffer>;
  /** The type on which the sender and the bytes themselves agree; '' when there is none, and the bytes may only be saved. */
  type: string;
}

export interface SpanReader {
  /** Newest first; ties break on arrival. */
  list(scope: Scope, query: SpanQuery): Promise<EncodedPage<SpanItem>>;
  /** Oldest first; empty when the trace is unknown. */
  ofTrace(scope: Scope, traceId: string): Promise<Encoded<SpanItem[]>>;
  /** Payloads whole, however large. Null unless that span is in that trace. */
  io(scope: Scope, traceId: string, spanId: string): Promise<Encoded<SpanIo> | null>;
  /** The trace of each span, in the order asked; null for a span that is unknown. Of two spans with one id, the later one. */
  tracesOf(scope: Scope, spanIds: readonly string[]): Promise<Encoded<(string | null)[]>>;
  /** Exactly what was received. Null unless that span is in that trace. */
  raw(scope: Scope, traceId: string, spanId: string): Promise<Encoded<RawSpanReply> | null>;
  /** In the order asked; spans that this trace does not have are left out. */
  previews(scope: Scope, traceId: string, spanIds: readonly string[]): Promise<Encoded<SpanPreview[]>>;
  /**
   * Spans whose name, model, message, metadata or whole payload holds the words, without regard to case. Looks on behind `after`
   * (0: from the first), and MAY stop before the last one: then `next` is not null. Nothing is found twice.
   */
  find(scope: Scope, traceId: string, words: string, after: number): Promise<Encoded<FoundSpans>>;
  /** Bytes by their hash, in whatever form the payload carries them. Null unless that span is in that trace and has them. */
  media(scope: Scope, traceId: string, spanId: string, sha256: string): Promise<SpanMedia | null>;
}
