/**
 * Errors in OTLP form: protobuf senders and gRPC callers get a `google.rpc.Status`, others the JSON envelope
 * (docs/reference/ingest.md#answers). Also maps failures to gRPC codes.
 */
import type { IncomingMessage } from 'node:http';
import type { Failure } from './fail.ts';

export const protobufTypes = ['application/x-protobuf', 'application/protobuf', 'application/vnd.google.protobuf'] as const;

export function isProtobuf(request: IncomingMessage): boolean {
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  return (protobufTypes as readonly string[]).includes(type);
}

/** The codes of gRPC that are used here, by their names in its specification. */
export const grpcCode = {
  OK: 0,
  INVALID_ARGUMENT: 3,
  DEADLINE_EXCEEDED: 4,
  NOT_FOUND: 5,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
  UNAVAILABLE: 14,
  UNAUTHENTICATED: 16,
} as const;

/** gRPC codes of the HTTP statuses of ingest. */
const codeOfStatus: Record<number, number> = {
  400: grpcCode.INVALID_ARGUMENT,
  401: grpcCode.UNAUTHENTICATED,
  402: grpcCode.PERMISSION_DENIED,
  403: grpcCode.PERMISSION_DENIED,
  404: grpcCode.NOT_FOUND,
  413: grpcCode.RESOURCE_EXHAUSTED,
  415: grpcCode.INVALID_ARGUMENT,
  429: grpcCode.RESOURCE_EXHAUSTED,
  501: grpcCode.UNIMPLEMENTED,
  503: grpcCode.UNAVAILABLE,
};

export const grpcCodeOf = ({ status }: Failure): number => codeOfStatus[status] ?? grpcCode.INTERNAL;

export const messageOf = ({ code, message }: Failure): string => `${code}: ${message}`;

/** A `google.rpc.Status` of code and message. */
export function statusMessage(failure: Failure): Uint8Array {
  return Buffer.concat([Buffer.from([0x08, grpcCodeOf(failure)]), field(2, Buffer.from(messageOf(failure)))]);
}

/** Status with a `google.rpc.RetryInfo`: exporters wait as long as it says, and give up without one. */
export function retryStatus(failure: Failure, seconds: number): Uint8Array {
  const delay = Buffer.from(seconds > 0 ? [0x08, ...varint(seconds)] : []);
  const any = [field(1, Buffer.from('type.googleapis.com/google.rpc.RetryInfo')), field(2, field(1, delay))];
  return Buffer.concat([statusMessage(failure), field(3, Buffer.concat(any))]);
}

/** A field of bytes. */
const field = (number: number, bytes: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from([(number << 3) | 2, ...varint(bytes.length)]), bytes]);

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
