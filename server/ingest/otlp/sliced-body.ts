/**
 * An OTLP/JSON traces request whose spans are parsed one by one. Parsed as a whole, a request is a megabyte of small objects that
 * live until its last span is read, and the garbage collector copies them repeatedly; a single span is garbage at once.
 *
 * The byte range of each span is found while the body is scanned for bombs. The rest of the body is parsed first, with a placeholder for
 * each span. A span that is not found (its keys may be written with escapes) is parsed with the rest.
 */
import { isAscii, isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { UnreadableRequest, UnreadableSpan } from './decoded.ts';
import { isObject, type Json, parseBody, quoteLongNumbers } from './json-envelope.ts';
import { findJsonBomb, type JsonVisitor } from './scan-json.ts';
import { jsonSpan, type ListReader } from './tape/json-span.ts';
import { JsonSpanReader } from './tape/json-span-reader.ts';
import { SpanTape } from './tape/span-tape.ts';
import { NotForTape, type TapeSpan } from './tape/tape-span.ts';

/** Prefix of the placeholders of spans. Random, so that no sender can write one. */
const placeholderPrefix = randomUUID();

export class SlicedBody {
  /** Everything but the spans; null when there are no bytes. */
  readonly body: Json | null;
  readonly #bytes: Buffer;
  readonly #isAscii: boolean;
  readonly #ranges: SpanRanges;

  /** @throws UnreadableRequest when the bytes are not a JSON object */
  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#ranges = new SpanRanges(this.#bytes);
    const bomb = findJsonBomb(bytes, this.#ranges);
    if (bomb) throw new UnreadableRequest('invalid_otlp_payload', `The body is refused before it is parsed: ${bomb}`);
    if (!isUtf8(bytes)) throw new UnreadableRequest('invalid_otlp_payload', 'The body is not valid UTF-8');
    this.#isAscii = isAscii(bytes);
    this.body = bytes.length === 0 ? null : this.#parse(() => parseBody(quoteLongNumbers(this.#rest())));
  }

  /** The span of an item when it was read in place, else null. */
  taped(item: unknown, lists: ListReader): TapeSpan | null {
    const index = indexOf(item);
    const place = index === -1 ? -1 : (this.#ranges.taped[index] as number);
    if (place === -1) return null;
    try {
      return jsonSpan(this.#bytes, this.#ranges.tape, place, lists);
    } catch (error) {
      if (error instanceof NotForTape || error instanceof UnreadableSpan) return null;
      throw error;
    }
  }

  /** The span of an item in a list of spans: by its placeholder, or the item itself. Else undefined. `exact` keeps all digits of numbers. */
  span(item: unknown, exact = false): Json | undefined {
    if (typeof item !== 'string') return isObject(item) ? item : undefined;
    const index = indexOf(item);
    if (index === -1) return undefined;
    const text = this.#text(this.#ranges.from[index] as number, this.#ranges.to[index] as number);
    return this.#parse(() => JSON.parse(exact ? quoteLongNumbers(text) : text) as Json);
  }

  /** Errors are those of parsing the whole body. */
  #parse(parse: () => Json): Json {
    try {
      return parse();
    } catch (error) {
      if (error instanceof SyntaxError || error instanceof UnreadableRequest) parseBody(this.#text(0, this.#bytes.length));
      throw error;
    }
  }

  #rest(): string {
    const { from, to } = this.#ranges;
    let text = '';
    let after = 0;
    // A span without an end is left to the parser.
    for (let index = 0; index < to.length; index++) {
      text += `${this.#text(after, from[index] as number)}"${placeholderPrefix}${index}"`;
      after = to[index] as number;
    }
    return text + this.#text(after, this.#bytes.length);
  }

  /** Leaves out a byte order mark. */
  #text(from: number, to: number): string {
    const start = from === 0 && this.#bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark) ? byteOrderMark.length : from;
    return this.#bytes.toString(this.#isAscii ? 'latin1' : 'utf8', start, to);
  }
}

/** The index of the span that an item is a placeholder of; -1 for any other item. */
const indexOf = (item: unknown): number =>
  typeof item === 'string' && item.startsWith(placeholderPrefix) ? Number(item.slice(placeholderPrefix.length)) : -1;

/** The keys on the path to a span, by the depth of the objects that have them. */
const pathKeys: Record<number, Buffer[]> = {
  1: ['resourceSpans', 'resource_spans'].map((key) => Buffer.from(key)),
  3: ['scopeSpans', 'scope_spans', 'instrumentationLibrarySpans'].map((key) => Buffer.from(key)),
  5: [Buffer.from('spans')],
};
const spanDepth = 7;
const byteOrderMark = Buffer.from('\ufeff');
const openBrace = 0x7b;

/** Byte ranges of the spans. */
class SpanRanges implements JsonVisitor {
  readonly #bytes: Buffer;
  readonly from: number[] = [];
  readonly to: number[] = [];
  /** Index of each span on the tape; -1 when it is not there. */
  readonly taped: number[] = [];
  readonly tape = new SpanTape();
  readonly #reader: JsonSpanReader;
  readonly #isOnPath = [false, false, false, false, false, false];

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#reader = new JsonSpanReader(bytes, this.tape);
  }

  get containers(): number {
    return this.#reader.containers;
  }

  get values(): number {
    return this.#reader.values;
  }

  opened(depth: number, at: number): number {
    const isSpan = depth === spanDepth && this.#bytes[at] === openBrace && this.#isOnPath[1] && this.#isOnPath[3] && this.#isOnPath[5];
    if (!isSpan) return -1;
    const end = this.#reader.read(at);
    this.from.push(at);
    this.taped.push(end === -1 ? -1 : this.tape.spans - 1);
    if (end !== -1) this.to.push(end);
    return end;
  }

  closed(depth: number, at: number): void {
    if (depth === spanDepth && this.from.length > this.to.length) this.to.push(at + 1);
  }

  key(depth: number, from: number, to: number): void {
    const keys = depth < spanDepth ? pathKeys[depth] : undefined;
    if (keys) this.#isOnPath[depth] = keys.some((key) => key.length === to - from && key.compare(this.#bytes, from, to) === 0);
  }
}
