/** Reads a request body within a byte limit, and determines its media type. */
import type { IncomingMessage } from 'node:http';
import { type Encoding, encodings } from '../ingest/otlp/inflate.ts';
import { release } from '../platform/release.ts';
import { Failure, fail } from './fail.ts';

/** `Content-Length` when it is a number. */
export function contentLength(request: IncomingMessage): number | null {
  const length = Number(request.headers['content-length'] ?? Number.NaN);
  return Number.isSafeInteger(length) && length >= 0 ? length : null;
}

/**
 * Ends with 413 as soon as the limit is exceeded.
 * @param arrived receives the number of bytes so far. An error from it ends the request after the rest has been drained: a sender that is cut
 * off would not see the answer
 */
export async function readBytes(
  request: IncomingMessage,
  bytesMax: number,
  onProgress: (bytes: number) => void = () => {},
): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = () => fail('payload_too_large', `The body is larger than ${bytesMax} bytes`, { limit: bytesMax });
  const announced = contentLength(request);
  if (announced !== null && announced > bytesMax) tooLarge();
  const body = new BodyBuffer(announced);
  let size = 0;
  let refusal: Error | null = null;
  try {
    // Destroying the request would close the connection and lose the answer.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > bytesMax) tooLarge();
      refusal ??= thrownBy(() => onProgress(size));
      if (refusal) body.drop();
      else body.add(chunk);
    }
  } catch (error) {
    // Nobody receives this answer; it is for the ingest log, and separates a disconnect from our own faults.
    if ((error as NodeJS.ErrnoException).code === 'ECONNRESET')
      fail('invalid_request_body', 'The sender disconnected before the whole body arrived');
    throw error;
  }
  if (refusal) throw refusal;
  return body.finish();
}

function thrownBy(work: () => void): Error | null {
  try {
    work();
    return null;
  } catch (error) {
    return error as Error;
  }
}

/**
 * Buffer that can be transferred to another thread. Chunks are copied as they arrive: copying twenty megabytes in one turn would block the
 * event loop for the time of a frame.
 */
class BodyBuffer {
  readonly #announced: number | null;
  #bytes: Uint8Array<ArrayBuffer>;
  #size = 0;

  /** @param announced announced length; the actual one may differ */
  constructor(announced: number | null) {
    this.#announced = announced;
    this.#bytes = new Uint8Array(Math.min(announced ?? firstBytes, preallocatedBytesMax));
  }

  add(chunk: Buffer): void {
    const needed = this.#size + chunk.length;
    if (needed > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(needed, this.#announced ?? this.#bytes.length * 2));
      larger.set(this.#bytes.subarray(0, this.#size));
      this.#bytes = larger;
    }
    this.#bytes.set(chunk, this.#size);
    this.#size = needed;
    // Node allocates each chunk separately. Releasing them at once spares the collector passes over the whole heap.
    if (chunk.length === chunk.buffer.byteLength) release(chunk);
  }

  drop(): void {
    this.#bytes = new Uint8Array(0);
    this.#size = 0;
  }

  /** The received bytes; the buffer has no other user. */
  finish(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#size);
  }
}

const firstBytes = 64 * 1024;
/** Part of the announced length that is allocated in advance. */
const preallocatedBytesMax = 1024 * 1024;

export interface Media {
  /** Lower case, without parameters; '' when absent. */
  type: string;
  encoding: Encoding | null;
}

/**
 * Ends with 415 for an unsupported type or encoding.
 * @param served media types; the first is the default
 * @param supported content encodings in addition to identity
 */
export function readMedia(request: IncomingMessage, served: readonly string[], supported: readonly Encoding[] = encodings): Media {
  const [type = '', ...parameters] = (request.headers['content-type'] ?? served[0] ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  if (!served.includes(type))
    fail('unsupported_media_type', `This route takes ${served.join(' or ')}, not ${type || 'a body without a type'}`);
  const charset = parameters
    .find((parameter) => parameter.startsWith('charset='))
    ?.slice('charset='.length)
    .replaceAll('"', '');
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8')
    fail('unsupported_media_type', `The charset must be utf-8, not ${charset}`);
  return { type, encoding: readEncoding(request, supported) };
}

/** The answer lists supported encodings in `Accept-Encoding` (RFC 9110, 12.5.3). */
function readEncoding({ headers }: IncomingMessage, supported: readonly Encoding[]): Encoding | null {
  const requested = (headers['content-encoding'] ?? 'identity').toLowerCase().trim();
  const encoding = supported.find((candidate) => candidate === requested);
  if (encoding || requested === 'identity') return encoding ?? null;
  const message = supported.length === 0 ? 'This route takes bodies without Content-Encoding' : unknownEncoding(supported, requested);
  const accepted = [...supported, 'identity'].join(', ');
  throw new Failure('unsupported_media_type', message, {}, null, { 'Accept-Encoding': accepted });
}

const unknownEncoding = (supported: readonly Encoding[], requested: string): string =>
  `Content-Encoding must be ${supported.join(', ')} or identity, not ${requested}`;

/** Unparsed body. Its size is checked before its media type. */
export async function readRaw(request: IncomingMessage, { type, bytesMax }: { type: string; bytesMax: number }): Promise<Uint8Array> {
  if ((contentLength(request) ?? 0) > bytesMax) return readBytes(request, bytesMax);
  readMedia(request, [type], []);
  return readBytes(request, bytesMax);
}
