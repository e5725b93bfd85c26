/**
 * An OTLP/JSON traces request whose spans are parsed one by one. Parsed as a whole, a request is a megabyte of small objects that
 * live until its last span is read, and the garbage collector copies them repeatedly; a single span is garbage at once.
 *
 * The byte range of each span is found while the body is scanned for bombs. The rest of the body is parsed first, with a placeholder for
 * each span. A span that is not found (its keys may be written with escapes) is parsed with the rest.
 */
import { isAscii, isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { UnreadableRequest } from './decoded.ts';
import { isObject, type Json, parseBody, quoteLongNumbers } from './json-envelope.ts';
import { findJsonBomb, type JsonVisitor } from './scan-json.ts';

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

  /** The span of an item in a list of spans: by its placeholder, or the item itself. Else undefined. `exact` keeps all digits of numbers. */
  span(item: unknown, exact = false): Json | undefined {
    if (typeof item !== 'string') return isObject(item) ? item : undefined;
    if (!item.startsWith(placeholderPrefix)) return undefined;
    const index = Number(item.slice(placeholderPrefix.length));
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
  readonly #isOnPath = [false, false, false, false, false, false];

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  opened(depth: number, at: number): void {
    if (depth === spanDepth && this.#bytes[at] === openBrace && this.#isOnPath[1] && this.#isOnPath[3] && this.#isOnPath[5])
      this.from.push(at);
  }

  closed(depth: number, at: number): void {
    if (depth === spanDepth && this.from.length > this.to.length) this.to.push(at + 1);
  }

  key(depth: number, from: number, to: number): void {
    const keys = depth < spanDepth ? pathKeys[depth] : undefined;
    if (keys) this.#isOnPath[depth] = keys.some((key) => key.length === to - from && key.compare(this.#bytes, from, to) === 0);
  }
}
