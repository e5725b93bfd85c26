/** Decodes content codings up to a size limit: decoding stops as soon as the output exceeds it, whatever the headers announced. */
import { constants, gunzipSync, inflateSync, type ZlibOptions, type ZstdOptions, zstdDecompressSync } from 'node:zlib';
import { otlpLimits } from './limits.ts';

/** What `Content-Encoding` may name; `deflate` is the zlib format (RFC 9110, 8.4.1.2). */
export const encodings = ['gzip', 'deflate', 'zstd'] as const;
export type Encoding = (typeof encodings)[number];

export class UnreadableEncoding extends Error {
  readonly code: 'invalid_content_encoding' | 'payload_too_large';

  constructor(code: UnreadableEncoding['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** Result of zlib with `info: true`: also how much of the input was consumed. */
interface Inflated {
  buffer: Buffer;
  engine: { bytesWritten: number };
}

/**
 * @returns bytes in a buffer of their own, which may be transferred
 * @throws UnreadableEncoding for bytes that are not of that encoding, are cut short, or inflate past the limit
 */
export function inflate(bytes: Uint8Array, encoding: Encoding = 'gzip', limit: number = otlpLimits.bodyBytesMax): Uint8Array {
  if (bytes.length === 0) return bytes;
  try {
    if (encoding === 'zstd') return fromFrames(bytes, limit);
    const chunkSize = encoding === 'gzip' ? expectedSize(bytes, limit) : likelySize(bytes);
    return inflateWhole(encoding === 'gzip' ? gunzipSync : inflateSync, bytes, { maxOutputLength: limit, chunkSize }, encoding);
  } catch (error) {
    if (error instanceof UnreadableEncoding) throw error;
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(limit);
    throw new UnreadableEncoding('invalid_content_encoding', `The body is not valid ${encoding}: ${(error as Error).message}`);
  }
}

const tooLarge = (limit: number) => new UnreadableEncoding('payload_too_large', `The body inflates to more than ${limit} bytes`);

function inflated<O>(read: (bytes: Uint8Array, options: O) => unknown, bytes: Uint8Array, options: O): Inflated {
  return read(bytes, { ...options, info: true }) as Inflated;
}

function inflateWhole(read: typeof gunzipSync, bytes: Uint8Array, options: ZlibOptions, encoding: Encoding): Buffer {
  const { buffer, engine } = inflated(read, bytes, options);
  if (engine.bytesWritten !== bytes.length)
    throw new UnreadableEncoding('invalid_content_encoding', `Bytes follow the end of the ${encoding} stream`);
  return buffer;
}

/** Maximum window of the decoder, as a power of two: RFC 9659 allows no more in HTTP, and a frame can ask for gigabytes. */
const zstdWindowLogMax = 23;
/** Senders write one frame; each needs a decoder of its own. */
const framesMax = 64;

/** Frames follow each other in one stream (RFC 8878, 3.1); Node reads one at a time. */
function fromFrames(bytes: Uint8Array, limit: number): Uint8Array {
  const frames: Buffer[] = [];
  let [at, size] = [0, 0];
  while (at < bytes.length) {
    if (frames.length === framesMax)
      throw new UnreadableEncoding('invalid_content_encoding', `The zstd stream has more than ${framesMax} frames`);
    // Node does not accept a limit of 0, so the rest is at least one byte; the sum is checked below.
    const options: ZstdOptions = {
      maxOutputLength: Math.max(1, limit - size),
      chunkSize: likelySize(bytes),
      params: { [constants.ZSTD_d_windowLogMax]: zstdWindowLogMax },
    };
    const { buffer, engine } = inflated(zstdDecompressSync, bytes.subarray(at), options);
    frames.push(buffer);
    at += engine.bytesWritten;
    size += buffer.length;
    if (size > limit) throw tooLarge(limit);
  }
  const [only] = frames;
  return frames.length === 1 && only ? only : ownBytes(Buffer.concat(frames));
}

/** Small results of `concat` share memory with other buffers. */
const ownBytes = (bytes: Buffer): Uint8Array => (bytes.length === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes));

const chunkBytesMax = 1024 * 1024;

/** For formats that do not state their size. At least the pool size, so that the result shares no memory with other buffers. */
const likelySize = (bytes: Uint8Array): number => Math.max(Math.min(bytes.length * 4, chunkBytesMax), Buffer.poolSize);

/** Maximum compression ratio of RFC 1951: 258 bytes from two bits. */
const ratioMax = 1032;
const trailerBytes = 4;
/** With spare room zlib detects the end of the stream at once. */
const spareBytes = 64;

/** The size in the trailer, as far as it is plausible: one buffer is then enough, and no chunks are concatenated. */
function expectedSize(bytes: Uint8Array, limit: number): number {
  const stated =
    bytes.length < trailerBytes ? 0 : new DataView(bytes.buffer, bytes.byteOffset + bytes.length - trailerBytes).getUint32(0, true);
  // At least the pool size, so that it shares no memory with other buffers: it may be released after use (release.ts).
  return Math.max(Math.min(stated, limit, bytes.length * ratioMax) + spareBytes, Buffer.poolSize);
}
