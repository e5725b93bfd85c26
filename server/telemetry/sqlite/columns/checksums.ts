/** CRC-32 of what column segments store. Nothing else would show a changed bit in a number, and a filter would leave rows out silently. */
import { crc32 } from 'node:zlib';
import type { EncodedChunk } from './chunk-codec.ts';

export type ChunkHead = Omit<EncodedChunk, 'data'>;

/** @param id row id of the chunk, so that a chunk in the place of another is noticed */
export const headChecksum = (id: number, { encoding, low, high, unit }: ChunkHead): number =>
  crc32(new Uint8Array(Float64Array.of(id, encoding, low, high, unit).buffer));

/** Continues the checksum of the head. */
export const dataChecksum = (data: Uint8Array | null, head: number): number => (data === null ? head : crc32(data, head));

export const postingChecksum = (term: number, segment: number, traces: Uint8Array): number =>
  crc32(traces, crc32(new Uint8Array(Float64Array.of(term, segment).buffer)));
