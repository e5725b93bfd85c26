/** Gzip under a budget: the decoded stream is cut off the moment it passes the limit, whatever the headers promised. */
import { gunzipSync } from 'node:zlib';
import { otlpLimits } from './limits.ts';

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
 * @throws UnreadableEncoding for bytes that are not gzip, are cut short, or inflate past the limit
 */
export function inflate(bytes: Uint8Array, limit: number = otlpLimits.bodyBytesMax): Uint8Array {
  if (bytes.length === 0) return bytes;
  try {
    const chunkSize = expectedSize(bytes, limit);
    const { buffer, engine } = gunzipSync(bytes, { maxOutputLength: limit, chunkSize, info: true }) as unknown as Inflated;
    if (engine.bytesWritten !== bytes.length)
      throw new UnreadableEncoding('invalid_content_encoding', 'Bytes follow the end of the gzip stream');
    return buffer;
  } catch (error) {
    if (error instanceof UnreadableEncoding) throw error;
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ERR_BUFFER_TOO_LARGE') throw new UnreadableEncoding('payload_too_large', `The body inflates to more than ${limit} bytes`);
    throw new UnreadableEncoding('invalid_content_encoding', `The body is not valid gzip: ${(error as Error).message}`);
  }
}

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
