/** Reads a request body under a limit that counts every byte, and says what form it has. */
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
 * Ends with 413 the moment the limit is passed, before more is read.
 * @param arrived is told how many bytes came so far. What it throws ends the request once the rest came and was dropped: a sender that is
 * cut off in the middle would not hear why
 */
export async function readBytes(
  request: IncomingMessage,
  bytesMax: number,
  arrived: (bytes: number) => void = () => {},
): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = () => fail('payload_too_large', `The body is larger than ${bytesMax} bytes`, { limit: bytesMax });
  const announced = contentLength(request);
  if (announced !== null && announced > bytesMax) tooLarge();
  const body = new BodyBuffer(announced);
  let size = 0;
  let refusal: Error | null = null;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > bytesMax) tooLarge();
      refusal ??= thrownBy(() => arrived(size));
      if (refusal) body.drop();
      else body.add(chunk);
    }
  } catch (error) {
    // Nobody is left to read this answer; it is for the ingest log, and keeps a sender's hang-up from passing for our fault.
    if ((error as NodeJS.ErrnoException).code === 'ECONNRESET')
      fail('invalid_request_body', 'The sender hung up before the whole body came');
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
 * One buffer of its own, which may be handed to another thread without a copy. Each chunk is copied as it comes:
 * twenty megabytes copied in one turn would hold the event loop for as long as a dropped frame.
 */
class BodyBuffer {
  readonly #announced: number | null;
  #bytes: Uint8Array<ArrayBuffer>;
  #size = 0;

  /** @param announced what the sender said it would send; more or less may come */
  constructor(announced: number | null) {
    this.#announced = announced;
    this.#bytes = new Uint8Array(Math.min(announced ?? firstBytes, believedBytes));
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
    // Node reads each piece into memory of its own. The collector would go over the whole heap, again and again, to find that it is free.
    if (chunk.length === chunk.buffer.byteLength) release(chunk);
  }

  drop(): void {
    this.#bytes = new Uint8Array(0);
    this.#size = 0;
  }

  /** A view of what came; the buffer under it belongs to nobody else. */
  finish(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#size);
  }
}

const firstBytes = 64 * 1024;
/** Room is made for so much of what is announced before any of it came. */
const believedBytes = 1024 * 1024;

export interface Media {
  /** Lower case, without parameters; '' when absent. */
  type: string;
  encoding: Encoding | null;
}

/**
 * Ends with 415 for what the route does not take.
 * @param served the media types; the first also stands for an absent header
 * @param taken the encodings beside none at all
 */
export function readMedia(request: IncomingMessage, served: readonly string[], taken: readonly Encoding[] = encodings): Media {
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
  return { type, encoding: readEncoding(request, taken) };
}

/** The answer says in `Accept-Encoding` what would be taken (RFC 9110, 12.5.3). */
function readEncoding({ headers }: IncomingMessage, taken: readonly Encoding[]): Encoding | null {
  const said = (headers['content-encoding'] ?? 'identity').toLowerCase().trim();
  const encoding = taken.find((each) => each === said);
  if (encoding || said === 'identity') return encoding ?? null;
  const message = taken.length === 0 ? 'This route takes bodies without Content-Encoding' : unknownEncoding(taken, said);
  const accepted = [...taken, 'identity'].join(', ');
  throw new Failure('unsupported_media_type', message, {}, null, { 'Accept-Encoding': accepted });
}

const unknownEncoding = (taken: readonly Encoding[], said: string): string =>
  `Content-Encoding must be ${taken.join(', ')} or identity, not ${said}`;

/** A body of bytes, as it is. One that is too large is told so whatever it says it is. */
export async function readRaw(request: IncomingMessage, { type, bytesMax }: { type: string; bytesMax: number }): Promise<Uint8Array> {
  if ((contentLength(request) ?? 0) > bytesMax) return readBytes(request, bytesMax);
  readMedia(request, [type], []);
  return readBytes(request, bytesMax);
}
