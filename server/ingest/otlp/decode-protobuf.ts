/** OTLP protobuf to spans: field numbers of opentelemetry-proto 1.x (ingest 1.6). */
import { type DecodedRequest, type DecodedSpan, UnreadableRequest, UnreadableSpan } from './decoded.ts';
import { readName } from './decode-json.ts';
import { readId, readParentId } from './identifiers.ts';
import { type Notes, rawDouble, readKey } from './json-values.ts';
import { otlpLimits } from './limits.ts';
import type { RawAttribute, RawEvent, RawLink, RawResource, RawScope, RawSpan, RawValue } from './raw-span.ts';
import { MalformedProtobuf, wire, WireReader } from './wire-reader.ts';

/** @throws UnreadableRequest when the bytes are no protobuf traces request. */
export function decodeProtobuf(bytes: Uint8Array): DecodedRequest {
  const request = new RequestReader();
  try {
    const reader = new WireReader(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    while (reader.next()) {
      if (reader.field === 1 && reader.type === wire.bytes) request.readResourceSpans(reader.message());
      else reader.skip();
    }
  } catch (error) {
    if (error instanceof MalformedProtobuf) throw new UnreadableRequest('protobuf_decode_failed', `The body is not an OTLP protobuf request: ${error.message}`);
    throw error;
  }
  request.checkSignal();
  return { spans: request.spans, rejected: request.rejected };
}

const noResource: RawResource = { attributes: [], dropped: 0, schema_url: '' };
const noScope: RawScope = { name: '', version: '', attributes: [], dropped: 0, schema_url: '' };

class RequestReader {
  readonly spans: DecodedSpan[] = [];
  readonly rejected: string[] = [];
  #index = 0;
  #foreign = 0;

  /** The three OTLP requests share their outer fields, so logs and metrics decode as spans without ids (ingest 1.4). */
  checkSignal(): void {
    if (this.#foreign > 0 && this.#foreign === this.#index) {
      throw new UnreadableRequest('invalid_otlp_payload', 'This looks like an OTLP logs or metrics request; /v1/traces takes traces');
    }
  }

  readResourceSpans(reader: WireReader): void {
    let resource = noResource;
    let schema_url = '';
    const scopes: WireReader[] = [];
    while (reader.next()) {
      if (reader.field === 1 && reader.type === wire.bytes) resource = readResource(reader.message());
      else if (reader.field === 2 && reader.type === wire.bytes) scopes.push(reader.message());
      else if (reader.field === 3 && reader.type === wire.bytes) schema_url = reader.text();
      else reader.skip();
    }
    const named = schema_url ? { ...resource, schema_url } : resource;
    for (const scope of scopes) this.#readScopeSpans(scope, named);
  }

  #readScopeSpans(reader: WireReader, resource: RawResource): void {
    let scope = noScope;
    let schema_url = '';
    const spans: WireReader[] = [];
    while (reader.next()) {
      if (reader.field === 1 && reader.type === wire.bytes) scope = readScope(reader.message());
      else if (reader.field === 2 && reader.type === wire.bytes) spans.push(reader.message());
      else if (reader.field === 3 && reader.type === wire.bytes) schema_url = reader.text();
      else reader.skip();
    }
    const named = schema_url ? { ...scope, schema_url } : scope;
    for (const span of spans) this.#readSpan(span, resource, named);
  }

  #readSpan(reader: WireReader, resource: RawResource, scope: RawScope): void {
    const index = this.#index++;
    if (index >= otlpLimits.spansMax) throw new UnreadableRequest('payload_too_large', `More than ${otlpLimits.spansMax} spans in one request`);
    const warnings: string[] = [];
    const notes: Notes = { warn: (message) => void (warnings.includes(message) || warnings.push(message)) };
    try {
      this.spans.push({ span: readSpan(reader, notes), resource, scope, warnings });
    } catch (error) {
      if (error instanceof ForeignSignal) this.#foreign++;
      else if (!(error instanceof UnreadableSpan || error instanceof MalformedProtobuf)) throw error;
      this.rejected.push(`spans[${index}]: ${error.message}`);
    }
  }
}

/** Field 1 of this "span" is what a log record or a metric has there. */
class ForeignSignal extends Error {}

function readSpan(reader: WireReader, notes: Notes): RawSpan {
  const span: RawSpan = {
    trace_id: '', span_id: '', parent_id: null, name: '', kind: 0, trace_state: '', flags: 0, start_ns: '0', end_ns: '0',
    attributes: [], events: [], links: [], status_code: 0, status_message: '', dropped_attributes: 0, dropped_events: 0, dropped_links: 0,
  };
  while (reader.next()) readSpanField(span, reader, notes);
  if (span.trace_id === '') throw new UnreadableSpan('trace_id is missing, all zero or not 16 bytes');
  if (span.span_id === '') throw new UnreadableSpan('span_id is missing, all zero or not 8 bytes');
  return span;
}

function readSpanField(span: RawSpan, reader: WireReader, notes: Notes): void {
  switch ((reader.field << 3) | reader.type) {
    case (1 << 3) | wire.bytes: { span.trace_id = readTraceId(reader.bytes()); return; }
    case (2 << 3) | wire.bytes: { span.span_id = readId(reader.bytes().toString('hex'), 8) ?? ''; return; }
    case (3 << 3) | wire.bytes: { span.trace_state = reader.text(); return; }
    case (4 << 3) | wire.bytes: { readParent(span, reader.bytes(), notes); return; }
    case (5 << 3) | wire.bytes: { span.name = readName(reader.text(), notes); return; }
    case (6 << 3) | wire.varint: { const kind = reader.uint32(); span.kind = kind <= 5 ? kind : 0; return; }
    case (7 << 3) | wire.fixed64: { span.start_ns = reader.fixed64(); return; }
    case (8 << 3) | wire.fixed64: { span.end_ns = reader.fixed64(); return; }
    case (9 << 3) | wire.bytes: { span.dropped_attributes += pushAttribute(span.attributes, reader.message(), 'attributes', notes); return; }
    case (10 << 3) | wire.varint: { span.dropped_attributes += reader.uint32(); return; }
    case (11 << 3) | wire.bytes: { span.dropped_events += pushCapped(span.events, otlpLimits.eventsMax, 'events', notes, () => readEvent(reader.message(), notes), reader); return; }
    case (12 << 3) | wire.varint: { span.dropped_events += reader.uint32(); return; }
    case (13 << 3) | wire.bytes: { span.dropped_links += pushCapped(span.links, otlpLimits.linksMax, 'links', notes, () => readLink(reader.message(), notes), reader); return; }
    case (14 << 3) | wire.varint: { span.dropped_links += reader.uint32(); return; }
    case (15 << 3) | wire.bytes: { readStatus(span, reader.message()); return; }
    case (16 << 3) | wire.fixed32: { span.flags = reader.fixed32(); return; }
    case (1 << 3) | wire.fixed64: throw new ForeignSignal('field 1 is a time, as in a log record');
    default: reader.skip();
  }
}

function readTraceId(bytes: Buffer): string {
  if (bytes.length === 16) return readId(bytes.toString('hex'), 16) ?? '';
  if (bytes.length > 0 && bytes.every((byte) => byte >= 0x20 && byte < 0x7f)) throw new ForeignSignal('field 1 is text, as in a metric');
  return '';
}

function readParent(span: RawSpan, bytes: Buffer, notes: Notes): void {
  const parent = bytes.length === 0 || bytes.length === 8 ? readParentId(bytes.toString('hex')) : { id: null, bad: true };
  if (parent.bad) notes.warn('parentSpanId is no id; the span is kept as a root');
  span.parent_id = parent.id;
}

function readStatus(span: RawSpan, reader: WireReader): void {
  while (reader.next()) {
    if (reader.field === 2 && reader.type === wire.bytes) span.status_message = reader.text();
    else if (reader.field === 3 && reader.type === wire.varint) {
      const code = reader.uint32();
      span.status_code = code === 1 || code === 2 ? code : 0;
    } else reader.skip();
  }
}

/** Adds an item while there is room; otherwise steps over it. Returns how many were cut: 0 or 1. */
function pushCapped<T>(list: T[], most: number, field: string, notes: Notes, read: () => T, reader: WireReader): 0 | 1 {
  if (list.length < most) {
    list.push(read());
    return 0;
  }
  reader.skip();
  notes.warn(`${field} past the first ${most} were dropped`);
  return 1;
}

function pushAttribute(list: RawAttribute[], reader: WireReader, field: string, notes: Notes, depth = 0): 0 | 1 {
  if (list.length >= otlpLimits.attributesMax) {
    notes.warn(`${field} past the first ${otlpLimits.attributesMax} were dropped`);
    return 1;
  }
  let key = '';
  let value: RawValue = null;
  while (reader.next()) {
    if (reader.field === 1 && reader.type === wire.bytes) key = readKey(reader.text(), field, notes);
    else if (reader.field === 2 && reader.type === wire.bytes) value = readValue(reader.message(), notes, depth);
    else reader.skip();
  }
  if (key !== '') list.push([key, value]);
  return 0;
}

function readValue(reader: WireReader, notes: Notes, depth: number): RawValue {
  let value: RawValue = null;
  while (reader.next()) {
    switch ((reader.field << 3) | reader.type) {
      case (1 << 3) | wire.bytes: { value = reader.text(); break; }
      case (2 << 3) | wire.varint: { value = reader.uint32() !== 0; break; }
      case (3 << 3) | wire.varint: { const int = reader.int64(); value = typeof int === 'number' ? int : { int }; break; }
      case (4 << 3) | wire.fixed64: { value = rawDouble(reader.double()); break; }
      case (5 << 3) | wire.bytes: { value = readArray(reader.message(), notes, deeper(depth)); break; }
      case (6 << 3) | wire.bytes: { value = { map: readMap(reader.message(), notes, deeper(depth)) }; break; }
      case (7 << 3) | wire.bytes: { value = { bytes: reader.bytes().toString('base64') }; break; }
      default: reader.skip();
    }
  }
  return value;
}

function deeper(depth: number): number {
  if (depth >= otlpLimits.valueDepthMax) throw new UnreadableSpan(`an attribute value is nested deeper than ${otlpLimits.valueDepthMax} levels`);
  return depth + 1;
}

function readArray(reader: WireReader, notes: Notes, depth: number): RawValue[] {
  const values: RawValue[] = [];
  while (reader.next()) {
    if (reader.field === 1 && reader.type === wire.bytes) values.push(readValue(reader.message(), notes, depth));
    else reader.skip();
  }
  return values;
}

function readMap(reader: WireReader, notes: Notes, depth: number): RawAttribute[] {
  const map: RawAttribute[] = [];
  while (reader.next()) {
    if (reader.field === 1 && reader.type === wire.bytes) pushAttribute(map, reader.message(), 'kvlistValue', notes, depth);
    else reader.skip();
  }
  return map;
}

function readEvent(reader: WireReader, notes: Notes): RawEvent {
  const event: RawEvent = { name: '', time_ns: '0', attributes: [], dropped: 0 };
  while (reader.next()) {
    if (reader.field === 1 && reader.type === wire.fixed64) event.time_ns = reader.fixed64();
    else if (reader.field === 2 && reader.type === wire.bytes) event.name = readName(reader.text(), notes);
    else if (reader.field === 3 && reader.type === wire.bytes) event.dropped += pushAttribute(event.attributes, reader.message(), 'event attributes', notes);
    else if (reader.field === 4 && reader.type === wire.varint) event.dropped += reader.uint32();
    else reader.skip();
  }
  return event;
}

function readLink(reader: WireReader, notes: Notes): RawLink {
  const link: RawLink = { trace_id: '', span_id: '', trace_state: '', flags: 0, attributes: [], dropped: 0 };
  while (reader.next()) {
    if (reader.field === 1 && reader.type === wire.bytes) link.trace_id = readId(reader.bytes().toString('hex'), 16) ?? '';
    else if (reader.field === 2 && reader.type === wire.bytes) link.span_id = readId(reader.bytes().toString('hex'), 8) ?? '';
    else if (reader.field === 3 && reader.type === wire.bytes) link.trace_state = reader.text();
    else if (reader.field === 4 && reader.type === wire.bytes) link.dropped += pushAttribute(link.attributes, reader.message(), 'link attributes', notes);
    else if (reader.field === 5 && reader.type === wire.varint) link.dropped += reader.uint32();
    else if (reader.field === 6 && reader.type === wire.fixed32) link.flags = reader.fixed32();
    else reader.skip();
  }
  return link;
}

function readResource(reader: WireReader): RawResource {
  const resource: RawResource = { attributes: [], dropped: 0, schema_url: '' };
  while (reader.next()) {
    if (reader.field === 1 && reader.type === wire.bytes) resource.dropped += pushAttribute(resource.attributes, reader.message(), 'resource attributes', silent);
    else if (reader.field === 2 && reader.type === wire.varint) resource.dropped += reader.uint32();
    else reader.skip();
  }
  return resource;
}

function readScope(reader: WireReader): RawScope {
  const scope: RawScope = { name: '', version: '', attributes: [], dropped: 0, schema_url: '' };
  while (reader.next()) {
    if (reader.field === 1 && reader.type === wire.bytes) scope.name = reader.text();
    else if (reader.field === 2 && reader.type === wire.bytes) scope.version = reader.text();
    else if (reader.field === 3 && reader.type === wire.bytes) scope.dropped += pushAttribute(scope.attributes, reader.message(), 'scope attributes', silent);
    else if (reader.field === 4 && reader.type === wire.varint) scope.dropped += reader.uint32();
    else reader.skip();
  }
  return scope;
}

const silent: Notes = { warn: () => {} };
