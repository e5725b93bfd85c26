import { release } from './release.ts';

/** Fewer bytes are copied sooner one by one. */
const shortCopy = 96;

/** Collects texts in one growing buffer and returns the position of each. */
export class ByteSink {
  #buffer: Buffer;
  #size = 0;
  #opened = 0;

  constructor(sizeBytes = 256 * 1024) {
    this.#buffer = Buffer.allocUnsafeSlow(sizeBytes);
  }

  get size(): number {
    return this.#size;
  }

  /** Skips `bytes` to be written later, and returns their position. */
  reserve(bytes: number): number {
    this.#grow(bytes);
    const at = this.#size;
    this.#size += bytes;
    return at;
  }

  text(text: string): { at: number; size: number } {
    // UTF-8 takes at most three bytes for a UTF-16 unit.
    this.#grow(text.length * 3);
    const size = this.#buffer.write(text, this.#size);
    const at = this.#size;
    this.#size += size;
    return { at, size };
  }

  /** Begins a piece, which `copy` and `put` write and `close` ends. */
  open(): void {
    this.#opened = this.#size;
  }

  copy(from: Buffer, start: number, end: number): void {
    const length = end - start;
    this.#grow(length);
    const to = this.#buffer;
    const size = this.#size;
    if (length > shortCopy) from.copy(to, size, start, end);
    else for (let at = 0; at < length; at++) to[size + at] = from[start + at] as number;
    this.#size = size + length;
  }

  put(text: string): void {
    // UTF-8 takes at most three bytes for a UTF-16 unit.
    this.#grow(text.length * 3);
    this.#size += this.#buffer.write(text, this.#size);
  }

  close(): { at: number; size: number } {
    return { at: this.#opened, size: this.#size - this.#opened };
  }

  /** Valid until more is added. */
  slice(at: number, size: number): Buffer {
    return this.#buffer.subarray(at, at + size);
  }

  /** The bytes so far, over a buffer of their own that may be transferred. */
  finish(): Uint8Array<ArrayBuffer> {
    const { buffer, byteOffset } = this.#buffer;
    return new Uint8Array(buffer as ArrayBuffer, byteOffset, this.#size);
  }

  #grow(bytes: number): void {
    const needed = this.#size + bytes;
    if (needed <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#buffer.length * 2));
    this.#buffer.copy(larger, 0, 0, this.#size);
    release(this.#buffer);
    this.#buffer = larger;
  }
}
