import { deflateZstd, inflateZstd } from '../../../platform/zstd.ts';

export const packed = (bytes: Uint8Array): Buffer => deflateZstd(bytes, 3);

/** A factor of four usually suffices for words; longer results are joined from pieces. */
export const unpacked = (bytes: Uint8Array): Buffer => inflateZstd(bytes, bytes.length * 4);
