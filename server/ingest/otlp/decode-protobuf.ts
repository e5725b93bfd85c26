/** Decodes OTLP protobuf traces requests (opentelemetry-proto 1.x). */
import { isOfAgent } from '../agent-records/agent-span.ts';
import { type DecodedRequest, type DecodedSpan, requireBelowLimit, UnreadableRequest, UnreadableSpan } from './decoded.ts';
import type { Notes } from './json-values.ts';
import { ForeignSignal, readSpan } from './protobuf-span.ts';
import { readResource, readScope, silent } from './protobuf-values.ts';
import type { RawResource, RawScope } from './raw-span.ts';
import { Remembered } from './remembered.ts';
import { ProtobufSpanReader } from './tape/protobuf-span-reader.ts';
import { SpanTape } from './tape/span-tape.ts';
import { asPlain } from './tape/tape-span.ts';
import { MalformedProtobuf, WireReader, wire } from './wire-reader.ts';

/** @throws UnreadableRequest when the bytes are not a protobuf traces request. */
export function decodeProtobuf(bytes: Uint8Array): DecodedRequest {
  const spans: DecodedSpan[] = [];
  return { spans, rejected: eachProtobufSpan(bytes, (decoded) => spans.push({ ...decoded, span: asPlain(decoded.span) })) };
}

/**
 * Passes each readable span to `take` when it is decoded, so that no span lives longer than its processing.
 * @returns the reasons of rejected spans
 * @throws UnreadableRequest when the bytes are not a protobuf traces request; spans that were passed on before must be discarded
 */
export function eachProtobufSpan(bytes: Uint8Array, take: (span: DecodedSpan) => void): string[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const request = new RequestReader(buffer, take);
  try {
    const reader = new WireReader(buffer);
    while (reader.next()) {
      if (reader.field === 1 && reader.type === wire.bytes) request.readResourceSpans(reader.message());
      else reader.skip();
    }
  } catch (error) {
    if (!(error instanceof MalformedProtobuf)) throw error;
    throw new UnreadableRequest('protobuf_decode_failed', `The body is not an OTLP protobuf request: ${error.message}`);
  }
  request.checkSignal();
  return request.rejected;
}

/** A resource or instrumentation scope, its schema URL and the items below it, which may come in any order. */
interface Group<T> {
  head: T;
  items: WireReader[];
}

/** Every request of an application has the same ones. */
const remembered = new Remembered<RawResource | RawScope>();
const remember = <T extends RawResource | RawScope>(head: T): T => remembered.of(head, () => head) as T;

function readGroup<T extends RawResource | RawScope>(reader: WireReader, read: (reader: WireReader) => T, absent: T): Group<T> {
  let head = absent;
  let schema_url = '';
  const items: WireReader[] = [];
  while (reader.next()) {
    if (reader.field === 1 && reader.type === wire.bytes) head = read(reader.message());
    else if (reader.field === 2 && reader.type === wire.bytes) items.push(reader.message());
    else if (reader.field === 3 && reader.type === wire.bytes) schema_url = reader.text(silent);
    else reader.skip();
  }
  return { head: remember(schema_url === '' ? head : { ...head, schema_url }), items };
}

const noResource: RawResource = { attributes: [], dropped: 0, schema_url: '' };
const noScope: RawScope = { name: '', version: '', attributes: [], dropped: 0, schema_url: '' };

class RequestReader {
  readonly rejected: string[] = [];
  readonly #inPlace: ProtobufSpanReader;
  readonly #take: (span: DecodedSpan) => void;
  #index = 0;
  #foreign = 0;

  constructor(bytes: Buffer, take: (span: DecodedSpan) => void) {
    this.#inPlace = new ProtobufSpanReader(bytes, new SpanTape());
    this.#take = take;
  }

  /** Traces, logs and metrics requests share their outer fields, so logs and metrics decode as spans without ids. */
  checkSignal(): void {
    if (this.#foreign > 0 && this.#foreign === this.#index) {
      throw new UnreadableRequest('invalid_otlp_payload', 'This looks like an OTLP logs or metrics request; /v1/traces takes traces');
    }
  }

  readResourceSpans(reader: WireReader): void {
    const { head: resource, items } = readGroup(reader, readResource, noResource);
    for (const item of items) {
      const { head: scope, items: spans } = readGroup(item, readScope, noScope);
      for (const span of spans) this.#readSpan(span, resource, scope);
    }
  }

  #readSpan(reader: WireReader, resource: RawResource, scope: RawScope): void {
    const index = this.#index++;
    requireBelowLimit(index);
    const { from, to } = reader.place;
    const inPlace = this.#inPlace.read(from, to);
    if (inPlace) {
      this.#take({ span: isOfAgent(inPlace.name, scope) ? inPlace.whole() : inPlace, resource, scope, warnings: [] });
      return;
    }
    const warnings: string[] = [];
    const notes: Notes = {
      warn: (message) => {
        if (!warnings.includes(message)) warnings.push(message);
      },
    };
    let span: DecodedSpan['span'];
    try {
      span = readSpan(reader, notes);
    } catch (error) {
      if (error instanceof ForeignSignal) this.#foreign++;
      else if (!(error instanceof UnreadableSpan || error instanceof MalformedProtobuf)) throw error;
      this.rejected.push(`spans[${index}]: ${error.message}`);
      return;
    }
    this.#take({ span, resource, scope, warnings });
  }
}
