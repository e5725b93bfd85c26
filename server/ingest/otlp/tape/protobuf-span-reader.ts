/**
 * Reads spans of OTLP/protobuf where they lie, as exporters write them. Whatever is written in another way, or would be adjusted or refused, is
 * left to the general decoder (`protobuf-span.ts`), so that there is one truth about those.
 */
import { isUtf8 } from 'node:buffer';
import { UnreadableSpan } from '../decoded.ts';
import { otlpLimits } from '../limits.ts';
import { readEvent, readLink } from '../protobuf-span.ts';
import { emptySpan } from '../raw-span.ts';
import { MalformedProtobuf, WireReader } from '../wire-reader.ts';
import { type ShapeNode, ShapeTree, shapeKeyBytesMax, shapeKeysMax } from './attribute-shapes.ts';
import { Cell, kindMax, type SpanTape, statusMax } from './span-tape.ts';
import { NotForTape, notForTape, type SpanFields, TapeSpan } from './tape-span.ts';

/** The sequences of keys of every request so far. */
const shapes = new ShapeTree('');

/** What JSON has to escape. */
const isEscaped = new Uint8Array(256).fill(1, 0, 0x20);
isEscaped[0x22] = 1;
isEscaped[0x5c] = 1;

/** Longer names may have to be cut. */
const nameBytesMax = 4096;
/** Thrown often by an unusual sender: one is enough. */
const refusal = new NotForTape();

/** Field number and wire type of opentelemetry/proto/trace/v1/trace.proto. */
const Tag = {
  traceId: 0x0a,
  spanId: 0x12,
  traceState: 0x1a,
  parentId: 0x22,
  name: 0x2a,
  kind: 0x30,
  start: 0x39,
  end: 0x41,
  attribute: 0x4a,
  droppedAttributes: 0x50,
  event: 0x5a,
  droppedEvents: 0x60,
  link: 0x6a,
  droppedLinks: 0x70,
  status: 0x7a,
  flags: 0x85,
} as const;

/** What a span has, while it is read. */
type Draft = { -readonly [F in keyof SpanFields]: SpanFields[F] };

export class ProtobufSpanReader {
  readonly #bytes: Buffer;
  readonly #tape: SpanTape;
  #at = 0;
  #node: ShapeNode = shapes.root;
  #keys = 0;

  constructor(bytes: Buffer, tape: SpanTape) {
    this.#bytes = bytes;
    this.#tape = tape;
  }

  /** The span between two places; null when it is not for this reader. */
  read(from: number, to: number): TapeSpan | null {
    const firstCell = this.#tape.cellCount;
    this.#at = from;
    this.#node = shapes.root;
    this.#keys = 0;
    try {
      const fields: Draft = emptySpan();
      while (this.#at < to) this.#readField(fields);
      if (this.#at !== to || fields.trace_id === '' || fields.span_id === '') return null;
      const { shape } = this.#node;
      return shape.repeats ? null : new TapeSpan(fields, this.#bytes, this.#tape.cells, firstCell, shape);
    } catch (error) {
      if (error instanceof NotForTape || error instanceof MalformedProtobuf || error instanceof UnreadableSpan) return null;
      throw error;
    }
  }

  #readField(fields: Draft): void {
    switch (this.#bytes[this.#at++]) {
      case Tag.traceId:
        fields.trace_id = this.#id(16);
        break;
      case Tag.spanId:
        fields.span_id = this.#id(8);
        break;
      case Tag.parentId:
        fields.parent_id = this.#bytes[this.#at] === 0 ? this.#nothing() : this.#id(8);
        break;
      case Tag.name:
        fields.name = this.#text(nameBytesMax);
        break;
      case Tag.traceState:
        fields.trace_state = this.#text(Number.POSITIVE_INFINITY);
        break;
      case Tag.kind:
        fields.kind = this.#enum(kindMax);
        break;
      case Tag.start:
        fields.start_ns = this.#nanoseconds();
        break;
      case Tag.end:
        fields.end_ns = this.#nanoseconds();
        break;
      case Tag.attribute:
        this.#readAttribute();
        break;
      case Tag.status:
        this.#readStatus(fields);
        break;
      default:
        this.#readRareField(fields, this.#bytes[this.#at - 1] as number);
    }
  }

  #readRareField(fields: Draft, tag: number): void {
    switch (tag) {
      case Tag.droppedAttributes:
        fields.dropped_attributes += this.#uint();
        break;
      case Tag.droppedEvents:
        fields.dropped_events += this.#uint();
        break;
      case Tag.droppedLinks:
        fields.dropped_links += this.#uint();
        break;
      case Tag.event:
        if (fields.events.length >= otlpLimits.eventsMax) throw refusal;
        fields.events.push(readEvent(this.#message(), notForTape));
        break;
      case Tag.link:
        if (fields.links.length >= otlpLimits.linksMax) throw refusal;
        fields.links.push(readLink(this.#message(), notForTape));
        break;
      case Tag.flags:
        if (this.#bytes[this.#at++] !== 1) throw refusal;
        fields.flags = this.#bytes.readUInt32LE(this.#skip(4));
        break;
      default:
        throw refusal;
    }
  }

  /** A varint of at most 28 bits: lengths and counts. */
  #uint(): number {
    const bytes = this.#bytes;
    let value = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = bytes[this.#at++] as number;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw refusal;
  }

  /** Steps over bytes and returns where they began. Where they end is checked by whoever knows the end of the message. */
  #skip(length: number): number {
    const at = this.#at;
    this.#at = at + length;
    if (this.#at > this.#bytes.length) throw refusal;
    return at;
  }

  #message(): WireReader {
    const length = this.#uint();
    const from = this.#skip(length);
    return new WireReader(this.#bytes, from, from + length);
  }

  #enum(most: number): number {
    const value = this.#uint();
    return value <= most ? value : 0;
  }

  #nothing(): null {
    this.#at++;
    return null;
  }

  /** Not all zero. */
  #id(size: number): string {
    if (this.#uint() !== size) throw refusal;
    const from = this.#skip(size);
    let any = 0;
    for (let at = from; at < this.#at; at++) any |= this.#bytes[at] as number;
    if (any === 0) throw refusal;
    return this.#bytes.toString('hex', from, this.#at);
  }

  #nanoseconds(): string {
    return this.#bytes.readBigUInt64LE(this.#skip(8)).toString();
  }

  #text(most: number): string {
    const length = this.#uint();
    if (length > most) throw refusal;
    const from = this.#skip(length);
    this.#escapes(from, this.#at);
    return this.#bytes.toString('utf8', from, this.#at);
  }

  /** Whether JSON has to escape something in a text. Invalid UTF-8 is replaced, which the general decoder tells. */
  #escapes(from: number, to: number): boolean {
    const bytes = this.#bytes;
    let all = 0;
    let escaped = 0;
    for (let at = from; at < to; at++) {
      const byte = bytes[at] as number;
      all |= byte;
      escaped |= isEscaped[byte] as number;
    }
    if (all >= 0x80 && !isUtf8(bytes.subarray(from, to))) throw refusal;
    return escaped !== 0;
  }

  #readStatus(fields: Draft): void {
    const end = this.#uint() + this.#at;
    while (this.#at < end) {
      const tag = this.#bytes[this.#at++];
      if (tag === 0x12) fields.status_message = this.#text(Number.POSITIVE_INFINITY);
      else if (tag === 0x18) fields.status_code = this.#enum(statusMax) as 0 | 1 | 2;
      else throw refusal;
    }
    if (this.#at !== end) throw refusal;
  }

  /** A key, then its value. */
  #readAttribute(): void {
    const end = this.#uint() + this.#at;
    if (++this.#keys > shapeKeysMax || this.#bytes[this.#at++] !== 0x0a) throw refusal;
    this.#readKey();
    if (this.#bytes[this.#at++] !== 0x12) throw refusal;
    const size = this.#uint();
    if (size + this.#at !== end) throw refusal;
    this.#readValue(end);
  }

  #readKey(): void {
    const bytes = this.#bytes;
    const length = this.#uint();
    const from = this.#skip(length);
    const { likely } = this.#node;
    if (likely !== null && likely.bytes.length === length) {
      const expected = likely.bytes;
      let index = 0;
      while (index < length && bytes[from + index] === expected[index]) index++;
      if (index === length) {
        this.#node = likely;
        return;
      }
    }
    if (length === 0 || length > shapeKeyBytesMax) throw refusal;
    for (let at = from; at < this.#at; at++) if ((bytes[at] as number) >= 0x80 || bytes[at] === 0) throw refusal;
    this.#node = shapes.step(this.#node, bytes.toString('latin1', from, this.#at));
  }

  /** A double that is neither NaN nor infinite: those are reported to the sender. Returns its place. */
  #finite(): number {
    const at = this.#skip(8);
    if (!Number.isFinite(this.#bytes.readDoubleLE(at))) throw refusal;
    return at;
  }

  /** An AnyValue of one field, of opentelemetry/proto/common/v1/common.proto. */
  #readValue(end: number): void {
    const tape = this.#tape;
    const start = this.#at;
    switch (start < end ? this.#bytes[this.#at++] : -1) {
      case 0x0a: {
        const length = this.#uint();
        const from = this.#skip(length);
        tape.put(this.#escapes(from, this.#at) ? Cell.escapedText : Cell.bareText, from, this.#at);
        break;
      }
      case 0x10:
        tape.put(this.#uint() === 0 ? Cell.false : Cell.true, 0, 0);
        break;
      case 0x18: {
        const from = this.#at;
        while (this.#at < end && (this.#bytes[this.#at] as number) >= 0x80) this.#at++;
        this.#at++;
        tape.put(Cell.varint, from, this.#at);
        break;
      }
      case 0x21:
        tape.put(Cell.fixedDouble, this.#finite(), this.#at);
        break;
      case -1:
        tape.put(Cell.null, 0, 0);
        break;
      default:
        tape.put(Cell.message, start, end);
        this.#at = end;
    }
    if (this.#at !== end) throw refusal;
  }
}
