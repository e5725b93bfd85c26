/** Reads a Span message as a RawSpan. Field numbers are those of opentelemetry/proto/trace/v1/trace.proto. */

import { readName } from './decode-json.ts';
import { UnreadableSpan } from './decoded.ts';
import { readId, readParentId } from './identifiers.ts';
import { type Notes, warnOfRepeats } from './json-values.ts';
import { otlpLimits } from './limits.ts';
import { pushAttribute } from './protobuf-values.ts';
import { emptySpan, type RawEvent, type RawLink, type RawSpan } from './raw-span.ts';
import { type WireReader, wire } from './wire-reader.ts';

/** Field 1 of the message is that of a log record or a metric, not of a span. */
export class ForeignSignal extends Error {}

export function readSpan(reader: WireReader, notes: Notes): RawSpan {
  const span = emptySpan();
  while (reader.next()) {
    const read = spanFields[(reader.field << 3) | reader.type];
    if (read) read(span, reader, notes);
    else reader.skip();
  }
  if (span.trace_id === '') throw new UnreadableSpan('trace_id is missing, all zero or not 16 bytes');
  if (span.span_id === '') throw new UnreadableSpan('span_id is missing, all zero or not 8 bytes');
  warnOfRepeats(span.attributes, notes);
  return span;
}

type FieldReader = (span: RawSpan, reader: WireReader, notes: Notes) => void;

/** By field number and wire type. A field of another wire type is unknown, as protobuf defines it. */
const spanFields: Record<number, FieldReader> = {
  [(1 << 3) | wire.bytes]: (span, reader) => {
    span.trace_id = readTraceId(reader.bytes());
  },
  [(1 << 3) | wire.fixed64]: () => {
    throw new ForeignSignal('field 1 is a time, as in a log record');
  },
  [(2 << 3) | wire.bytes]: (span, reader) => {
    span.span_id = readId(reader.bytes().toString('hex'), 8) ?? '';
  },
  [(3 << 3) | wire.bytes]: (span, reader, notes) => {
    span.trace_state = reader.text(notes);
  },
  [(4 << 3) | wire.bytes]: (span, reader, notes) => readParent(span, reader.bytes(), notes),
  [(5 << 3) | wire.bytes]: (span, reader, notes) => {
    span.name = readName(reader.text(notes), notes);
  },
  [(6 << 3) | wire.varint]: (span, reader) => {
    const kind = reader.uint32();
    span.kind = kind <= 5 ? kind : 0;
  },
  [(7 << 3) | wire.fixed64]: (span, reader) => {
    span.start_ns = reader.fixed64();
  },
  [(8 << 3) | wire.fixed64]: (span, reader) => {
    span.end_ns = reader.fixed64();
  },
  [(9 << 3) | wire.bytes]: (span, reader, notes) => {
    span.dropped_attributes += pushAttribute(span.attributes, reader.message(), 'attributes', notes);
  },
  [(10 << 3) | wire.varint]: (span, reader) => {
    span.dropped_attributes += reader.uint32();
  },
  [(11 << 3) | wire.bytes]: (span, reader, notes) => {
    span.dropped_events += pushCapped(span.events, otlpLimits.eventsMax, 'events', reader, notes, readEvent);
  },
  [(12 << 3) | wire.varint]: (span, reader) => {
    span.dropped_events += reader.uint32();
  },
  [(13 << 3) | wire.bytes]: (span, reader, notes) => {
    span.dropped_links += pushCapped(span.links, otlpLimits.linksMax, 'links', reader, notes, readLink);
  },
  [(14 << 3) | wire.varint]: (span, reader) => {
    span.dropped_links += reader.uint32();
  },
  [(15 << 3) | wire.bytes]: (span, reader, notes) => readStatus(span, reader.message(), notes),
  [(16 << 3) | wire.fixed32]: (span, reader) => {
    span.flags = reader.fixed32();
  },
};

function readTraceId(bytes: Buffer): string {
  if (bytes.length === 16) return readId(bytes.toString('hex'), 16) ?? '';
  if (bytes.length > 0 && bytes.every((byte) => byte >= 0x20 && byte < 0x7f)) throw new ForeignSignal('field 1 is text, as in a metric');
  return '';
}

function readParent(span: RawSpan, bytes: Buffer, notes: Notes): void {
  const parent = bytes.length === 0 || bytes.length === 8 ? readParentId(bytes.toString('hex')) : { id: null, isInvalid: true };
  if (parent.isInvalid) notes.warn('parentSpanId is not an id; the span is kept as a root');
  span.parent_id = parent.id;
}

function readStatus(span: RawSpan, reader: WireReader, notes: Notes): void {
  while (reader.next()) {
    if (reader.field === 2 && reader.type === wire.bytes) span.status_message = reader.text(notes);
    else if (reader.field === 3 && reader.type === wire.varint) {
      const code = reader.uint32();
      span.status_code = code === 1 || code === 2 ? code : 0;
    } else reader.skip();
  }
}

/** Adds an item while the list is below its limit; otherwise skips it. Returns how many were dropped: 0 or 1. */
function pushCapped<T>(
  list: T[],
  max: number,
  field: string,
  reader: WireReader,
  notes: Notes,
  read: (reader: WireReader, notes: Notes) => T,
): 0 | 1 {
  if (list.length < max) {
    list.push(read(reader.message(), notes));
    return 0;
  }
  reader.skip();
  notes.warn(`${field} past the first ${max} were dropped`);
  return 1;
}

export function readEvent(reader: WireReader, notes: Notes): RawEvent {
  const event: RawEvent = { name: '', time_ns: '0', attributes: [], dropped: 0 };
  while (reader.next()) {
    if (reader.field === 1 && reader.type === wire.fixed64) event.time_ns = reader.fixed64();
    else if (reader.field === 2 && reader.type === wire.bytes) event.name = readName(reader.text(notes), notes);
    else if (reader.field === 3 && reader.type === wire.bytes) {
      event.dropped += pushAttribute(event.attributes, reader.message(), 'event attributes', notes);
    } else if (reader.field === 4 && reader.type === wire.varint) event.dropped += reader.uint32();
    else reader.skip();
  }
  return event;
}

export function readLink(reader: WireReader, notes: Notes): RawLink {
  const link: RawLink = { trace_id: '', span_id: '', trace_state: '', flags: 0, attributes: [], dropped: 0 };
  while (reader.next()) {
    if (reader.field === 1 && reader.type === wire.bytes) link.trace_id = readId(reader.bytes().toString('hex'), 16) ?? '';
    else if (reader.field === 2 && reader.type === wire.bytes) link.span_id = readId(reader.bytes().toString('hex'), 8) ?? '';
    else if (reader.field === 3 && reader.type === wire.bytes) link.trace_state = reader.text(notes);
    else if (reader.field === 4 && reader.type === wire.bytes) {
      link.dropped += pushAttribute(link.attributes, reader.message(), 'link attributes', notes);
    } else if (reader.field === 5 && reader.type === wire.varint) link.dropped += reader.uint32();
    else if (reader.field === 6 && reader.type === wire.fixed32) link.flags = reader.fixed32();
    else reader.skip();
  }
  return link;
}
