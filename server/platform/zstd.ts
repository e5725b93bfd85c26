/**
 * Zstandard with one output buffer. Node's own functions join pieces of 16 kB, which takes longer than the work itself and leaves twice the
 * size as garbage.
 */
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** Spare output space lets zstd report the end at once. */
const spareBytes = 64;

/** Never from the pool that Node's small buffers share: these bytes may be released explicitly (release.ts). */
const ownBuffer = (size: number): { chunkSize: number } => ({ chunkSize: Math.max(size, Buffer.poolSize) });

/** @param size size of the output, or a guess: a larger output is joined from several pieces */
export const inflateZstd = (bytes: Uint8Array, size: number): Buffer => zstdDecompressSync(bytes, ownBuffer(size + spareBytes));

/** Level 1 remembers four times as many places as by default: 4 % fewer bytes at 256 kB, 10 % at 512 kB, for a tenth more time. */
const hashLog = 16;

/**
 * With the known size zstd allocates tables of that size instead of half a megabyte of fresh pages each time.
 * @param level 1 when a caller waits, 3 in the background for better compression
 */
export function deflateZstd(bytes: Uint8Array, level: 1 | 3): Buffer {
  const params = {
    [constants.ZSTD_c_compressionLevel]: level,
    [constants.ZSTD_c_checksumFlag]: 1,
    ...(level === 1 && { [constants.ZSTD_c_hashLog]: hashLog }),
  };
  return zstdCompressSync(bytes, { params, pledgedSrcSize: bytes.length, ...ownBuffer(bytes.length >> 1) });
}
