/** Media in the payload of a span: their references in previews, and their lookup. */
import { hash } from 'node:crypto';
import type { MediaReference } from '../../../../shared/contract/tracing/media.ts';
import { agreedType, contentOf, type EmbeddedMedia, jsonOf, MediaReferences } from '../../../ingest/normalise/index.ts';
import type { SpanData } from '../../../ingest/otlp/raw-span.ts';
import type { SpanMedia } from '../../span-reader.ts';

/** Fields that a trace read may shorten. Media are looked up in the same fields, so that every reference can be resolved. */
export const payloadFields = ['input', 'output', 'output_object', 'tool_calls'] as const;

export function mediaOf({ span }: SpanData): MediaReferences {
  const [trace, id] = [span.trace_id, span.span_id].map((value) => encodeURIComponent(value.toWellFormed()));
  return new MediaReferences(({ mimeType, modality, bytes }): MediaReference => {
    if (bytes === null) return { type: 'media', mimeType, modality, problem: 'The bytes are not valid base64, or were cut off' };
    const sha256 = hash('sha256', bytes);
    const url = `/v1/viewer/traces/${trace}/spans/${id}/media/${sha256}`;
    return { type: 'media', mimeType, modality, sha256, size: bytes.length, url };
  });
}

export function findMedia(sent: SpanData, sha256: string): SpanMedia | null {
  let found: EmbeddedMedia | undefined;
  const media = new MediaReferences((embedded) => {
    if (found === undefined && embedded.bytes !== null && hash('sha256', embedded.bytes) === sha256) found = embedded;
    return { type: 'media', mimeType: '', modality: '' };
  });
  const content = contentOf(sent);
  for (const text of new Set(payloadFields.map((field) => content[field]))) {
    if (found === undefined) media.all(jsonOf(text) ?? text);
  }
  // Copied, because bytes that are transferred to another thread need a buffer of their own, and small buffers share one.
  return found?.bytes ? { bytes: new Uint8Array(found.bytes), type: agreedType(found.mimeType, found.bytes) } : null;
}
