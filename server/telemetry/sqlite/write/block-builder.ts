/** Packs span records and long texts of a commit into compressed blocks. */
import { release } from '../../../platform/release.ts';
import { deflateZstd } from '../../../platform/zstd.ts';
import type { OpenDatabase } from '../file/open.ts';

/** Position of bytes inside an inflated block. */
export interface Place {
  block: number;
  at: number;
  size: number;
}

/**
 * Large enough for zstd to find the repetition between the spans of a trace, small enough that opening one span
 * inflates in half a millisecond.
 */
const blockBytes = 512 * 1024;

/** Size up to which the buffer for packed records is reused; a larger one, for a single large text, is freed. */
const reusedBytesMax = 4 * blockBytes;

export class BlockBuilder {
  readonly #insert;
  readonly #newest;
  #id = 0;
  #packed = Buffer.allocUnsafeSlow(2 * blockBytes);
  #size = 0;
  #received_ms = 0;
  #bytes = 0;

  constructor(db: OpenDatabase) {
    this.#insert = db.prepare('INSERT INTO block (id, received_ms, size, data) VALUES (?, ?, ?, ?)');
    this.#newest = db.prepare<[], number>('SELECT coalesce(max(id), 0) FROM block').pluck();
  }

  /** Id of the block that is being packed. */
  get current(): number {
    return this.#id;
  }

  /** Bytes added since the start. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Call inside the transaction, before the first `add`. */
  begin(received_ms: number): void {
    this.#id = (this.#newest.get() ?? 0) + 1;
    this.#size = 0;
    this.#received_ms = received_ms;
  }

  /** Appends the parts and returns their place. */
  add(...parts: Uint8Array[]): Place {
    const at = this.#size;
    for (const part of parts) {
      this.#makeRoom(this.#size + part.length);
      this.#packed.set(part, this.#size);
      this.#size += part.length;
    }
    this.#bytes += this.#size - at;
    return { block: this.#id, at, size: this.#size - at };
  }

  /** Closes the block when it is full. Call it only between spans, so that a span and its texts share a block. */
  closeIfFull(): void {
    if (this.#size >= blockBytes) this.close();
  }

  close(): void {
    if (this.#size === 0) return;
    const data = deflateZstd(this.#packed.subarray(0, this.#size), 1);
    this.#insert.run(this.#id, this.#received_ms, this.#size, data);
    release(data);
    this.#id++;
    this.#size = 0;
    if (this.#packed.length > reusedBytesMax) this.#packed = Buffer.allocUnsafeSlow(2 * blockBytes);
  }

  #makeRoom(bytes: number): void {
    if (bytes <= this.#packed.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(bytes, 2 * this.#packed.length));
    larger.set(this.#packed.subarray(0, this.#size));
    this.#packed = larger;
  }

  /** The bytes of a place in the block still being packed, valid until more is added; null when it is another block. */
  read(place: Place): Buffer | null {
    if (place.block !== this.#id) return null;
    return this.#packed.subarray(place.at, place.at + place.size);
  }
}
