/**
 * An OTLP/JSON traces request whose spans are parsed one by one. Parsed as a whole, a request is a megabyte of small objects that
 * live until its last span was read, and the collector copies them from place to place; a span alone is garbage at once.
 *
 * The bytes of each span are found while the body is looked over for bombs. What is parsed first is the rest, with a name in
 * place of each span. A span that is not found (its keys may be written with escapes) stays where it is and is parsed with the rest.
 */
import { isAscii, isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { UnreadableRequest } from './decoded.ts';
import { isObject, type Json, parseBody, quoteLongNumbers } from './json-envelope.ts';
import { findJsonBomb, type ShapeWatcher } from './scan-json.ts';

/** Begins the names that stand for spans. Nobody outside can write one. */
const secret = randomUUID();

export class SlicedBody {
  /** Everything but the spans; null when there are no bytes. */
  readonly body: Json | null;
  readonly #bytes: Buffer;
  readonly #isAscii: boolean;
  readonly #places: SpanPlaces;

  /** @throws UnreadableRequest when the bytes are no JSON object */
  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#places = new SpanPlaces(this.#bytes);
    const bomb = findJsonBomb(bytes, this.#places);
    if (bomb) throw new UnreadableRequest('invalid_otlp_payload', `The body is refused before it is parsed: ${bomb}`);
    if (!isUtf8(bytes)) throw new UnreadableRequest('invalid_otlp_payload', 'The body is not valid UTF-8');
    this.#isAscii = isAscii(bytes);
    this.body = bytes.length === 0 ? null : this.#parse(() => parseBody(quoteLongNumbers(this.#rest())));
  }

  /** The span that stands for, or is, an item of a list of spans; undefined when it is neither. `exact` keeps every digit of long numbers. */
  span(item: unknown, exact = false): Json | undefined {
    if (typeof item !== 'string') return isObject(item) ? item : undefined;
    if (!item.startsWith(secret)) return undefined;
    const index = Number(item.slice(secret.length));
    const text = this.#text(this.#places.from[index] as number, this.#places.to[index] as number);
    return this.#parse(() => JSON.parse(exact ? quoteLongNumbers(text) : text) as Json);
  }

  /** What is wrong is told in the parser's words about the whole. */
  #parse(parse: () => Json): Json {
    try {
      return parse();
    } catch (error) {
      if (error instanceof SyntaxError || error instanceof UnreadableRequest) parseBody(this.#text(0, this.#bytes.length));
      throw error;
    }
  }

  #rest(): string {
    const { from, to } = this.#places;
    let text = '';
    let after = 0;
    // One that never ends is left to the parser.
    for (let index = 0; index < to.length; index++) {
      text += `${this.#text(after, from[index] as number)}"${secret}${index}"`;
      after = to[index] as number;
    }
    return text + this.#text(after, this.#bytes.length);
  }

  /** A mark of the byte order is no part of the text. */
  #text(from: number, to: number): string {
    const start = from === 0 && this.#bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark) ? byteOrderMark.length : from;
    return this.#bytes.toString(this.#isAscii ? 'latin1' : 'utf8', start, to);
  }
}

/** The keys on the way to a span, by the depth of the objects that have them. */
const keysOnTheWay: Record<number, Buffer[]> = {
  1: ['resourceSpans', 'resource_spans'].map((key) => Buffer.from(key)),
  3: ['scopeSpans', 'scope_spans', 'instrumentationLibrarySpans'].map((key) => Buffer.from(key)),
  5: [Buffer.from('spans')],
};
const spanDepth = 7;
const byteOrderMark = Buffer.from('\ufeff');
const openBrace = 0x7b;

/** Where in the bytes spans begin and end. */
class SpanPlaces implements ShapeWatcher {
  readonly #bytes: Buffer;
  readonly from: number[] = [];
  readonly to: number[] = [];
  readonly #isOnTheWay = [false, false, false, false, false, false];

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  opened(depth: number, at: number): void {
    if (depth === spanDepth && this.#bytes[at] === openBrace && this.#isOnTheWay[1] && this.#isOnTheWay[3] && this.#isOnTheWay[5])
      this.from.push(at);
  }

  closed(depth: number, at: number): void {
    if (depth === spanDepth && this.from.length > this.to.length) this.to.push(at + 1);
  }

  key(depth: number, from: number, to: number): void {
    const keys = depth < spanDepth ? keysOnTheWay[depth] : undefined;
    if (keys) this.#isOnTheWay[depth] = keys.some((key) => key.length === to - from && key.compare(this.#bytes, from, to) === 0);
  }
}
