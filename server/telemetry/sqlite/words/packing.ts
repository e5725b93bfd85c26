import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

const level = { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 };

export const packed = (bytes: Uint8Array): Buffer =>
  zstdCompressSync(bytes, { params: level, pledgedSrcSize: bytes.length, chunkSize: Math.max(16 * 1024, bytes.length >> 1) });

/** In one piece: by default it is put together from many small ones, which takes longer than to inflate it. */
export const unpacked = (bytes: Uint8Array): Buffer => zstdDecompressSync(bytes, { chunkSize: Math.max(16 * 1024, bytes.length * 4) });
