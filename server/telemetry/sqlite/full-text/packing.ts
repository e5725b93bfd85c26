import { deflateZstd, inflateZstd } from '../../../platform/zstd.ts';

export const packed = (bytes: Uint8Array): Buffer => deflateZstd(bytes, 3);

/** Four times as long is a guess that fits words; what becomes longer is put together from pieces. */
export const unpacked = (bytes: Uint8Array): Buffer => inflateZstd(bytes, bytes.length * 4);
