/** The four wire formats of exporters. */
import { gzipSync } from 'node:zlib';
import { encodeJson } from './encode-json.ts';
import { encodeProtobuf } from './encode-protobuf.ts';
import type { Sender, Span } from './span.ts';

export const formats = ['json', 'json-gzip', 'protobuf', 'protobuf-gzip'] as const;
export type Format = (typeof formats)[number];

export function encode(spans: readonly Span[], sender: Sender, format: Format): Buffer {
  const plain = format.startsWith('json') ? encodeJson(spans, sender) : encodeProtobuf(spans, sender);
  return format.endsWith('gzip') ? gzipSync(plain) : plain;
}

export function headersOf(format: Format): Record<string, string> {
  const type = format.startsWith('json') ? 'application/json' : 'application/x-protobuf';
  return format.endsWith('gzip') ? { 'content-type': type, 'content-encoding': 'gzip' } : { 'content-type': type };
}
