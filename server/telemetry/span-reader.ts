import type { RawSpanReply } from '../../shared/contract/tracing/raw-span.ts';
import type { SpanIo, SpanItem, SpanQuery } from '../../shared/contract/tracing/spans.ts';
import type { FoundSpans, SpanPreview } from '../../shared/contract/tracing/trace-outline.ts';
import type { Scope } from '../platform/scope.ts';
import type { Encoded, EncodedPage } from './encoded.ts';

/** Bytes of an image, sound, video or file in a payload. */
export interface SpanMedia {
  bytes: Uint8Array<ArrayBuffer>;
  /** Media type on which sender and content agree; '' for none, in which case the bytes may only be downloaded. */
  type: string;
}

export interface SpanReader {
  /** Newest first; ties break on arrival. */
  list(scope: Scope, query: SpanQuery): Promise<EncodedPage<SpanItem>>;
  /** Oldest first; empty when the trace is unknown. */
  ofTrace(scope: Scope, traceId: string): Promise<Encoded<SpanItem[]>>;
  /** Complete payloads, however large. Null unless the span is in the trace. */
  io(scope: Scope, traceId: string, spanId: string): Promise<Encoded<SpanIo> | null>;
  /** Trace of each span, in the order of the ids; null for an unknown span. Of two spans with the same id, the later one. */
  tracesOf(scope: Scope, spanIds: readonly string[]): Promise<Encoded<(string | null)[]>>;
  /** Span exactly as received. Null unless the span is in the trace. */
  raw(scope: Scope, traceId: string, spanId: string): Promise<Encoded<RawSpanReply> | null>;
  /** In the order of the ids; unknown spans are left out. */
  previews(scope: Scope, traceId: string, spanIds: readonly string[]): Promise<Encoded<SpanPreview[]>>;
  /**
   * Spans whose name, model, message, metadata or payload contains the words, ignoring case. Continues after a cursor, which is valid wherever
   * the same data is opened, and MAY stop early: then `next` is the cursor to continue from. No span is returned twice. Null for a cursor that
   * does not come from a search of the app.
   */
  find(scope: Scope, traceId: string, words: string, after: string | null): Promise<Encoded<FoundSpans> | null>;
  /** Bytes by their hash, in whatever form the payload contains them. Null unless the span is in the trace and has them. */
  media(scope: Scope, traceId: string, spanId: string, sha256: string): Promise<SpanMedia | null>;
}
