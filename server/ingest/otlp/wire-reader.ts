/**
 * Reads the protobuf wire format. Small on purpose: OTLP needs five field types, and reading them directly into our own form is twice as
 * fast as any generic decoder measured. Every read is bounds-checked: a length that points past the end is a MalformedProtobuf, never a
 * read of the bytes that follow.
 */
import { isUtf8 } from 'node:buffer';

export class MalformedProtobuf extends Error {}

export const wire = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

export class WireReader {
  readonly #bytes: Buffer;
  #at: number;
  #end: number;
  /** Number and wire type of the field that `next` stopped at. */
  field = 0;
  type = 0;

  constructor(bytes: Buffer, start = 0, end = bytes.length) {
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
  }

  /** Where the message begins, or what is left of it, and where it ends. */
  get place(): { from: number; to: number } {
    return { from: this.#at, to: this.#end };
  }

  /** Moves to the next field; false at the end of the message. */
  next(): boolean {
    if (this.#at >= this.#end) return false;
    const tag = this.uint32();
    this.field = tag >>> 3;
    this.type = tag & 7;
    if (this.field === 0) throw new MalformedProtobuf('a field has number 0');
    return true;
  }

  /** A varint of at most 32 bits; higher bits are dropped, as protobuf does. */
  uint32(): number {
    let value = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = this.#byte();
      if (shift < 32) value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
    throw new MalformedProtobuf('a varint is longer than ten bytes');
  }

  /** A signed 64-bit varint: a number when it is safe, otherwise its decimal text. */
  int64(): number | string {
    let low = 0;
    let high = 0;
    for (let index = 0; index < 10; index++) {
      const byte = this.#byte();
      const bits = byte & 0x7f;
      if (index < 4) low |= bits << (index * 7);
      else if (index === 4) {
        low |= bits << 28;
        high |= bits >>> 4;
      } else high |= bits << (index * 7 - 32);
      if (byte < 0x80) return signed64(low >>> 0, high | 0);
    }
    throw new MalformedProtobuf('a varint is longer than ten bytes');
  }

  /** An unsigned 64-bit fixed value as decimal text. */
  fixed64(): string {
    const at = this.#skip(8);
    return this.#bytes.readBigUInt64LE(at).toString();
  }

  fixed32(): number {
    return this.#bytes.readUInt32LE(this.#skip(4));
  }

  double(): number {
    return this.#bytes.readDoubleLE(this.#skip(8));
  }

  /** Text. Invalid UTF-8 becomes U+FFFD, with a warning. */
  text(notes: { warn(message: string): void }): string {
    const length = this.#length();
    const at = this.#skip(length);
    const text = this.#bytes.toString('utf8', at, at + length);
    if (text.includes('\ufffd') && !isUtf8(this.#bytes.subarray(at, at + length)))
      notes.warn('text held invalid UTF-8, replaced by U+FFFD');
    return text;
  }

  bytes(): Buffer {
    const length = this.#length();
    const at = this.#skip(length);
    return this.#bytes.subarray(at, at + length);
  }

  /** A reader over the embedded message at this field. */
  message(): WireReader {
    const length = this.#length();
    const at = this.#skip(length);
    return new WireReader(this.#bytes, at, at + length);
  }

  /** Skips the value of a field that is unknown or has an unexpected wire type. */
  skip(): void {
    if (this.type === wire.varint) this.uint32();
    else if (this.type === wire.fixed64) this.#skip(8);
    else if (this.type === wire.bytes) this.#skip(this.#length());
    else if (this.type === wire.fixed32) this.#skip(4);
    else throw new MalformedProtobuf(`wire type ${this.type} is not used by OTLP`);
  }

  #length(): number {
    return this.uint32();
  }

  #byte(): number {
    if (this.#at >= this.#end) throw new MalformedProtobuf('the message ends inside a varint');
    return this.#bytes[this.#at++] as number;
  }

  #skip(length: number): number {
    const at = this.#at;
    if (length > this.#end - at) throw new MalformedProtobuf('a length points past the end of its message');
    this.#at = at + length;
    return at;
  }
}

function signed64(low: number, high: number): number | string {
  const value = high * 4294967296 + low;
  return Number.isSafeInteger(value) ? value : ((BigInt(high) << 32n) | BigInt(low)).toString();
}
