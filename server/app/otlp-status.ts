/** Failures in the form OTLP wants: protobuf senders get a `google.rpc.Status`, others the JSON envelope (rulings 4). */
import type { IncomingMessage } from 'node:http';
import type { Failure } from './fail.ts';

export const protobufTypes = ['application/x-protobuf', 'application/protobuf', 'application/vnd.google.protobuf'] as const;

export function isProtobuf(request: IncomingMessage): boolean {
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  return (protobufTypes as readonly string[]).includes(type);
}

/** gRPC codes for the statuses that ingest answers. */
const grpcCode: Record<number, number> = { 400: 3, 401: 16, 403: 7, 404: 5, 413: 8, 415: 3, 429: 8, 503: 14 };

export function statusMessage(failure: Failure): Uint8Array {
  const message = Buffer.from(`${failure.code}: ${failure.message}`);
  return Buffer.concat([Buffer.from([0x08, grpcCode[failure.status] ?? 13, 0x12, ...varint(message.length)]), message]);
}

export function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 0x7f) {
    bytes.push((rest & 0x7f) | 0x80);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
  return bytes;
}
