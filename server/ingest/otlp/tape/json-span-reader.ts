/**
 * Reads spans of OTLP/JSON where they lie, as exporters write them: compact, camelCase, nothing unknown. Whatever is written in another way,
 * or would be adjusted or refused, is left to the general decoder (`decode-json.ts`), so that there is one truth about those.
 */
import { type ShapeNode, ShapeTree, shapeKeyBytesMax, shapeKeysMax } from './attribute-shapes.ts';
import { closeBrace, closeBracket, comma, JsonTextReader, openBrace, openBracket, quote, refused } from './json-text-reader.ts';
import { Cell, Head, type SpanTape } from './span-tape.ts';

const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text));

const beforeKey = bytesOf('{"key":"');
const behindKey = '","value":{';
const afterKey = bytesOf(behindKey);
const stringValue = bytesOf('"stringValue":');
const intValue = bytesOf('"intValue":');
const boolValue = bytesOf('"boolValue":');
const doubleValue = bytesOf('"doubleValue":');
const trueText = bytesOf('true');
const falseText = bytesOf('false');

/** Longer names may have to be cut. */
const nameBytesMax = 4096;
const nanosecondDigitsMax = 19;
const int32Max = 0x7fffffff;
const zero = 0x30;

/** The sequences of keys of every request so far. */
const shapes = new ShapeTree(behindKey);

interface Field {
  /** With its quotes and colon. */
  name: Uint8Array;
  read(reader: JsonSpanReader, head: number, at: number): number;
}

const field = (name: string, read: Field['read']): Field => ({ name: bytesOf(`"${name}":`), read });

/** In the order in which exporters usually write them. */
const spanFields: readonly Field[] = [
  field('traceId', (reader, head, at) => reader.readId(head + Head.traceId, at, 32)),
  field('spanId', (reader, head, at) => reader.readId(head + Head.spanId, at, 16)),
  field('parentSpanId', (reader, head, at) => reader.readParentId(head + Head.parentId, at)),
  field('name', (reader, head, at) => reader.readText(head + Head.name, at, nameBytesMax)),
  field('kind', (reader, head, at) => reader.readNumber(head + Head.kind, at)),
  field('startTimeUnixNano', (reader, head, at) => reader.readTime(head + Head.startFrom, at)),
  field('endTimeUnixNano', (reader, head, at) => reader.readTime(head + Head.endFrom, at)),
  field('attributes', (reader, _head, at) => reader.readAttributes(at)),
  field('droppedAttributesCount', (reader, head, at) => reader.readNumber(head + Head.droppedAttributes, at)),
  field('events', (reader, head, at) => reader.readList(head + Head.eventsFrom, at)),
  field('droppedEventsCount', (reader, head, at) => reader.readNumber(head + Head.droppedEvents, at)),
  field('status', (reader, head, at) => reader.readStatus(head, at)),
  field('links', (reader, head, at) => reader.readList(head + Head.linksFrom, at)),
  field('droppedLinksCount', (reader, head, at) => reader.readNumber(head + Head.droppedLinks, at)),
  field('traceState', (reader, head, at) => reader.readText(head + Head.traceState, at)),
  field('flags', (reader, head, at) => reader.readNumber(head + Head.flags, at)),
];

const statusFields: readonly Field[] = [
  field('code', (reader, head, at) => reader.readNumber(head + Head.statusCode, at)),
  field('message', (reader, head, at) => reader.readText(head + Head.statusMessage, at)),
];

export class JsonSpanReader extends JsonTextReader {
  readonly #tape: SpanTape;

  constructor(bytes: Buffer, tape: SpanTape) {
    super(bytes);
    this.#tape = tape;
  }

  /** Puts the span that begins at a brace on the tape. @returns the place behind it, or -1 when it is not for this reader */
  read(open: number): number {
    const tape = this.#tape;
    const cells = tape.cellCount;
    const shapesBefore = tape.spans;
    const head = tape.head();
    this.containers = 0;
    this.values = 0;
    tape.heads[head + Head.cells] = cells;
    tape.shapes.push(shapes.root.shape);
    const end = this.#readFields(spanFields, head, open);
    const { heads } = tape;
    if (end !== refused && heads[head + Head.traceId] !== 0 && heads[head + Head.spanId] !== 0) {
      heads[head + Head.from] = open;
      heads[head + Head.to] = end;
      return end;
    }
    tape.cut(cells);
    tape.shapes.length = shapesBefore;
    return refused;
  }

  /** An object whose fields these are, each at most once. */
  #readFields(fields: readonly Field[], head: number, open: number): number {
    const { bytes } = this;
    if (bytes[open] !== openBrace) return refused;
    this.containers++;
    this.values++;
    let at = open + 1;
    if (bytes[at] === closeBrace) return at + 1;
    let seen = 0;
    for (let likely = 0; ; likely++) {
      const index = this.#fieldAt(fields, at, likely);
      if (index === refused || seen & (1 << index)) return refused;
      seen |= 1 << index;
      likely = index;
      const { name, read } = fields[index] as Field;
      at = read(this, head, at + name.length);
      if (at === refused) return refused;
      this.values++;
      if (bytes[at] === closeBrace) return at + 1;
      if (bytes[at++] !== comma) return refused;
      this.values++;
    }
  }

  #fieldAt(fields: readonly Field[], at: number, likely: number): number {
    const expected = fields[likely];
    if (expected && this.has(at, expected.name)) return likely;
    return fields.findIndex(({ name }) => this.has(at, name));
  }

  #set(place: number, value: number): void {
    this.#tape.heads[place] = value;
  }

  /** Lower-case hexadecimal digits, not all zero. */
  readId(place: number, open: number, length: number): number {
    const { bytes } = this;
    const to = open + 1 + length;
    if (bytes[open] !== quote || bytes[to] !== quote) return refused;
    let isZero = true;
    for (let at = open + 1; at < to; at++) {
      const byte = bytes[at] as number;
      if (!((byte >= 0x30 && byte <= 0x39) || (byte >= 0x61 && byte <= 0x66))) return refused;
      isZero &&= byte === zero;
    }
    if (isZero) return refused;
    this.#set(place, open + 1);
    return to + 1;
  }

  readParentId(place: number, open: number): number {
    if (this.bytes[open] === quote && this.bytes[open + 1] === quote) return open + 2;
    return this.readId(place, open, 16);
  }

  readText(place: number, open: number, most = Number.POSITIVE_INFINITY): number {
    const end = this.text(open);
    if (end === refused || this.to - this.from > most) return refused;
    this.#set(place, this.kind);
    this.#set(place + 1, this.from);
    this.#set(place + 2, this.to);
    return end;
  }

  readNumber(place: number, from: number): number {
    const end = this.digits(from);
    if (end === refused || this.number > int32Max) return refused;
    this.#set(place, this.number);
    return end;
  }

  readTime(place: number, open: number): number {
    if (this.bytes[open] !== quote) return refused;
    const end = this.digits(open + 1, nanosecondDigitsMax);
    if (end === refused || this.bytes[end] !== quote) return refused;
    this.#set(place, open + 1);
    this.#set(place + 1, end);
    return end + 1;
  }

  readStatus(head: number, open: number): number {
    return this.#readFields(statusFields, head, open);
  }

  readList(place: number, open: number): number {
    if (this.bytes[open] !== openBracket) return refused;
    const end = this.container(open);
    if (end === refused || (end === open + 2 && this.bytes[open + 1] === closeBracket)) return end;
    this.#set(place, open);
    this.#set(place + 1, end);
    return end;
  }

  readAttributes(open: number): number {
    const { bytes } = this;
    if (bytes[open] !== openBracket) return refused;
    this.containers++;
    this.values++;
    let at = open + 1;
    if (bytes[at] === closeBracket) return at + 1;
    let node = shapes.root;
    for (let count = 1; count <= shapeKeysMax; count++) {
      if (!this.has(at, beforeKey)) return refused;
      at += beforeKey.length;
      const likely = node.likely;
      if (likely !== null && this.has(at, likely.bytes)) {
        node = likely;
        at += likely.bytes.length;
      } else {
        const next = this.#keyAt(node, at);
        if (next === null) return refused;
        node = next;
        at += node.bytes.length;
      }
      at = this.#readValue(at);
      if (at === refused || bytes[at] !== closeBrace || bytes[at + 1] !== closeBrace) return refused;
      at += 2;
      if (bytes[at] === closeBracket) {
        this.#tape.shapes[this.#tape.spans - 1] = node.shape;
        return node.shape.repeats ? refused : at + 1;
      }
      if (bytes[at++] !== comma) return refused;
      this.values++;
    }
    return refused;
  }

  #keyAt(before: ShapeNode, from: number): ShapeNode | null {
    const end = this.text(from - 1);
    if (end === refused || this.kind !== Cell.ascii || this.to === from || this.to - from > shapeKeyBytesMax) return null;
    return this.has(end - 1, afterKey) ? shapes.step(before, this.bytes.toString('latin1', from, this.to)) : null;
  }

  /** What is in the braces of an AnyValue, to its closing brace. */
  #readValue(from: number): number {
    this.containers += 2;
    this.values += 6;
    const at = this.#readKnownValue(from);
    if (at !== refused) this.#tape.put(this.kind, this.from, this.to);
    return at;
  }

  #readKnownValue(from: number): number {
    if (this.has(from, stringValue)) return this.text(from + stringValue.length);
    if (this.has(from, intValue)) return this.integer(from + intValue.length);
    if (this.has(from, boolValue)) return this.#boolean(from + boolValue.length);
    if (this.has(from, doubleValue)) return this.double(from + doubleValue.length);
    return this.#otherValue(from - 1);
  }

  #boolean(from: number): number {
    const isTrue = this.has(from, trueText);
    if (!isTrue && !this.has(from, falseText)) return refused;
    this.kind = isTrue ? Cell.true : Cell.false;
    return from + (isTrue ? trueText : falseText).length;
  }

  /** Counted once more than it is, which only errs to the safe side. */
  #otherValue(open: number): number {
    const end = this.container(open);
    if (end === refused) return refused;
    this.kind = Cell.other;
    this.from = open;
    this.to = end;
    return end - 1;
  }
}
