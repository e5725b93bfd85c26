import { constants, zstdCompressSync } from 'node:zlib';
import { inflateZstd } from '../../../platform/inflate-zstd.ts';

const level = { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 };

export const packed = (bytes: Uint8Array): Buffer =>
  zstdCompressSync(bytes, { params: level, pledgedSrcSize: bytes.length, chunkSize: Math.max(16 * 1024, bytes.length >> 1) });

/** Four times as long is a guess that fits words; what becomes longer is put together from pieces. */
export const unpacked = (bytes: Uint8Array): Buffer => inflateZstd(bytes, bytes.length * 4);
