/**
 * Zstandard in one piece and in a buffer of its own. Node by itself puts what comes out together from pieces of 16 kB, which
 * takes longer than the work itself and leaves twice the size to the collector.
 */
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** With room to spare zstd says at once that it has come to the end. */
const spareBytes = 64;

/** Never of the memory that Node's small buffers share: these bytes may be given back by hand (release.ts). */
const ownBuffer = (size: number): { chunkSize: number } => ({ chunkSize: Math.max(size, Buffer.poolSize) });

/** @param size what it becomes, or a guess: more is put together from several pieces */
export const inflateZstd = (bytes: Uint8Array, size: number): Buffer => zstdDecompressSync(bytes, ownBuffer(size + spareBytes));

/**
 * Knowing the size, zstd takes tables of that size instead of half a megabyte of fresh pages each time.
 * @param level 1 is for what somebody waits for, 3 for what is made in a pause and packs tighter
 */
export function deflateZstd(bytes: Uint8Array, level: 1 | 3): Buffer {
  const params = { [constants.ZSTD_c_compressionLevel]: level, [constants.ZSTD_c_checksumFlag]: 1 };
  return zstdCompressSync(bytes, { params, pledgedSrcSize: bytes.length, ...ownBuffer(bytes.length >> 1) });
}
