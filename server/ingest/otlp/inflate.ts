/** Content codings under a budget: the decoded stream is cut off the moment it passes the limit, whatever the headers promised. */
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

/** What `info: true` adds: how much of the input the inflater took. */
interface Inflated {
  buffer: Buffer;
  engine: { bytesWritten: number };
}

/**
 * In a buffer of its own, which may be given away.
 * @throws UnreadableEncoding for bytes that are not of that encoding, are cut short, or inflate past the limit
 */
export function inflate(bytes: Uint8Array, encoding: Encoding = 'gzip', limit: number = otlpLimits.bodyBytesMax): Uint8Array {
  if (bytes.length === 0) return bytes;
  try {
    if (encoding === 'zstd') return fromFrames(bytes, limit);
    const chunkSize = encoding === 'gzip' ? expectedSize(bytes, limit) : likelySize(bytes);
    return whole(encoding === 'gzip' ? gunzipSync : inflateSync, bytes, { maxOutputLength: limit, chunkSize }, encoding);
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

function whole(read: typeof gunzipSync, bytes: Uint8Array, options: ZlibOptions, encoding: Encoding): Buffer {
  const { buffer, engine } = inflated(read, bytes, options);
  if (engine.bytesWritten !== bytes.length)
    throw new UnreadableEncoding('invalid_content_encoding', `Bytes follow the end of the ${encoding} stream`);
  return buffer;
}

/** What a decoder must hold of what it has written, and may: RFC 9659 allows no more in HTTP, and a frame can ask for gigabytes. */
const zstdWindowLogMax = 23;
/** Senders write one; each costs a decoder of its own. */
const framesMax = 64;

/** Frames follow each other in one stream (RFC 8878, 3.1); Node reads one at a time. */
function fromFrames(bytes: Uint8Array, limit: number): Uint8Array {
  const frames: Buffer[] = [];
  let [at, size] = [0, 0];
  while (at < bytes.length) {
    if (frames.length === framesMax)
      throw new UnreadableEncoding('invalid_content_encoding', `The zstd stream has more than ${framesMax} frames`);
    // A limit of nothing is no limit that Node knows: what is left is at least one byte, and the sum is looked at.
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

/** Small results of `concat` share memory with others. */
const ownBytes = (bytes: Buffer): Uint8Array => (bytes.length === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes));

const chunkBytesMax = 1024 * 1024;

/** For formats that do not say. Never so small that the result comes from the memory that small buffers share. */
const likelySize = (bytes: Uint8Array): number => Math.max(Math.min(bytes.length * 4, chunkBytesMax), Buffer.poolSize);

/** RFC 1951 cannot do better: 258 bytes for two bits. */
const ratioMax = 1032;
const trailerBytes = 4;
/** With room to spare zlib says at once that it has come to the end. */
const spareBytes = 64;

/** What the trailer says, as far as it can be true: then one buffer is enough, and nothing is copied together. */
function expectedSize(bytes: Uint8Array, limit: number): number {
  const said =
    bytes.length < trailerBytes ? 0 : new DataView(bytes.buffer, bytes.byteOffset + bytes.length - trailerBytes).getUint32(0, true);
  // Never of the memory that Node's small buffers share: who is done with the bytes may give theirs back (release.ts).
  return Math.max(Math.min(said, limit, bytes.length * ratioMax) + spareBytes, Buffer.poolSize);
}
