/**
 * Zstandard in one piece and in a buffer of its own. Node by itself puts what comes out together from pieces of 16 kB, which
 * takes longer than to inflate it and leaves twice its size to the collector.
 */
import { zstdDecompressSync } from 'node:zlib';

/** With room to spare zstd says at once that it has come to the end. */
const spareBytes = 64;

/**
 * @param size what it becomes, or a guess: more is put together from several pieces
 * @returns bytes whose memory may be given back by hand (release.ts): never of what Node's small buffers share
 */
export const inflateZstd = (bytes: Uint8Array, size: number): Buffer =>
  zstdDecompressSync(bytes, { chunkSize: Math.max(size + spareBytes, Buffer.poolSize) });
