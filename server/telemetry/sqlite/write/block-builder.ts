/** Packs span records and long texts of a commit into compressed blocks. */
import { constants, zstdCompressSync } from 'node:zlib';
import type { OpenDatabase } from '../open.ts';

/** Where bytes stand: inside the inflated block. */
export interface Place {
  block: number;
  at: number;
  size: number;
}

/**
 * Large enough for zstd to find the repetition between the spans of a trace, small enough that opening one span
 * inflates in a quarter of a millisecond.
 */
const blockBytes = 256 * 1024;

const level = { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 };

/** Knowing the size, zstd takes tables of that size instead of half a megabyte of fresh pages for each block. */
const compress = (bytes: Uint8Array): Buffer =>
  zstdCompressSync(bytes, { params: level, pledgedSrcSize: bytes.length, chunkSize: Math.max(16 * 1024, bytes.length >> 1) });

export class BlockBuilder {
  readonly #insert;
  readonly #newest;
  #id = 0;
  #parts: Uint8Array[] = [];
  #size = 0;
  #received_ms = 0;
  #bytes = 0;

  constructor(db: OpenDatabase) {
    this.#insert = db.prepare('INSERT INTO block (id, received_ms, size, data) VALUES (?, ?, ?, ?)');
    this.#newest = db.prepare<[], number>('SELECT coalesce(max(id), 0) FROM block').pluck();
  }

  /** The number of the block that is being packed. */
  get current(): number {
    return this.#id;
  }

  /** How many were ever added. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Call inside the transaction, before the first `add`. */
  begin(received_ms: number): void {
    this.#id = (this.#newest.get() ?? 0) + 1;
    this.#parts = [];
    this.#size = 0;
    this.#received_ms = received_ms;
  }

  /** The parts stand one after the other. */
  add(...parts: Uint8Array[]): Place {
    const at = this.#size;
    for (const part of parts) {
      this.#parts.push(part);
      this.#size += part.length;
    }
    this.#bytes += this.#size - at;
    return { block: this.#id, at, size: this.#size - at };
  }

  /** Closes the block when it is full. Only between spans, so that a span and its texts share a block. */
  closeIfFull(): void {
    if (this.#size >= blockBytes) this.close();
  }

  close(): void {
    if (this.#size === 0) return;
    const data = compress(this.#parts.length === 1 ? (this.#parts[0] as Uint8Array) : Buffer.concat(this.#parts, this.#size));
    this.#insert.run(this.#id, this.#received_ms, this.#size, data);
    this.#id++;
    this.#parts = [];
    this.#size = 0;
  }

  /** The bytes of a place in the block still being packed; null when it is another block. */
  read(place: Place): Buffer | null {
    if (place.block !== this.#id) return null;
    return Buffer.concat(this.#parts).subarray(place.at, place.at + place.size);
  }
}
