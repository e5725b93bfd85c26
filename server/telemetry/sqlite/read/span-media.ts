/** Media in the payload of a span: their references in previews, and their lookup. */
import { hash } from 'node:crypto';
import type { MediaReference } from '../../../../shared/contract/tracing/media.ts';
import { agreedType, contentOf, type EmbeddedMedia, jsonOf, MediaReferences } from '../../../ingest/normalise/index.ts';
import type { SentSpan } from '../../../ingest/otlp/raw-span.ts';
import type { SpanMedia } from '../../span-reader.ts';

/** The fields that a trace read may shorten. Bytes are looked for in the same ones, so that every reference leads somewhere. */
export const payloadFields = ['input', 'output', 'output_object', 'tool_calls'] as const;

export function mediaOf({ span }: SentSpan): MediaReferences {
  const [trace, id] = [span.trace_id, span.span_id].map((each) => encodeURIComponent(each.toWellFormed()));
  return new MediaReferences(({ mimeType, modality, bytes }): MediaReference => {
    if (bytes === null) return { type: 'media', mimeType, modality, problem: 'The bytes are not valid base64, or were cut off' };
    const sha256 = hash('sha256', bytes);
    const url = `/v1/viewer/traces/${trace}/spans/${id}/media/${sha256}`;
    return { type: 'media', mimeType, modality, sha256, size: bytes.length, url };
  });
}

export function findMedia(sent: SentSpan, sha256: string): SpanMedia | null {
  let found: EmbeddedMedia | undefined;
  const media = new MediaReferences((each) => {
    if (found === undefined && each.bytes !== null && hash('sha256', each.bytes) === sha256) found = each;
    return { type: 'media', mimeType: '', modality: '' };
  });
  const content = contentOf(sent);
  for (const text of new Set(payloadFields.map((field) => content[field]))) {
    if (found === undefined) media.all(jsonOf(text) ?? text);
  }
  // A copy: bytes that change threads must own their buffer, and small ones share one.
  return found?.bytes ? { bytes: new Uint8Array(found.bytes), type: agreedType(found.mimeType, found.bytes) } : null;
}
