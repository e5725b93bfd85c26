/** Reads AnyValue, KeyValue, resources and scopes from protobuf. Field numbers are those of opentelemetry/proto/common/v1/common.proto. */
import { UnreadableSpan } from './decoded.ts';
import { type Notes, rawDouble, readKey } from './json-values.ts';
import { otlpLimits } from './limits.ts';
import type { RawAttribute, RawResource, RawScope, RawValue } from './raw-span.ts';
import { type WireReader, wire } from './wire-reader.ts';

/** Adds an attribute, or skips it when the list is full. Returns how many were dropped: 0 or 1. */
export function pushAttribute(list: RawAttribute[], reader: WireReader, field: string, notes: Notes, depth = 0): 0 | 1 {
  if (list.length >= otlpLimits.attributesMax) {
    notes.warn(`${field} past the first ${otlpLimits.attributesMax} were dropped`);
    return 1;
  }
  let key = '';
  let value: RawValue = null;
  while (reader.next()) {
    if (reader.field === 1 && reader.type === wire.bytes) key = readKey(reader.text(notes), field, notes);
    else if (reader.field === 2 && reader.type === wire.bytes) value = readValue(reader.message(), notes, depth);
    else reader.skip();
  }
  if (key !== '') list.push([key, value]);
  return 0;
}

type ValueReader = (reader: WireReader, notes: Notes, depth: number) => RawValue;

/** By field number and wire type. A field of another wire type is unknown, as protobuf defines it. */
const valueFields: Record<number, ValueReader> = {
  [(1 << 3) | wire.bytes]: (reader, notes) => reader.text(notes),
  [(2 << 3) | wire.varint]: (reader) => reader.uint32() !== 0,
  [(3 << 3) | wire.varint]: (reader) => {
    const int = reader.int64();
    return typeof int === 'number' ? int : { int };
  },
  [(4 << 3) | wire.fixed64]: (reader, notes) => rawDouble(reader.double(), notes),
  [(5 << 3) | wire.bytes]: (reader, notes, depth) => readArray(reader.message(), notes, deeper(depth)),
  [(6 << 3) | wire.bytes]: (reader, notes, depth) => ({ map: readMap(reader.message(), notes, deeper(depth)) }),
  [(7 << 3) | wire.bytes]: (reader) => ({ bytes: reader.bytes().toString('base64') }),
};

export function readValue(reader: WireReader, notes: Notes, depth: number): RawValue {
  let value: RawValue = null;
  while (reader.next()) {
    const read = valueFields[(reader.field << 3) | reader.type];
    if (read) value = read(reader, notes, depth);
    else reader.skip();
  }
  return value;
}

function deeper(depth: number): number {
  if (depth >= otlpLimits.valueDepthMax) {
    throw new UnreadableSpan(`an attribute value is nested deeper than ${otlpLimits.valueDepthMax} levels`);
  }
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

/** Problems of a resource or scope are not reported: each of its spans would have the same warning. */
export const silent: Notes = { warn: () => {} };

/** An attribute of a resource or scope that cannot be read is dropped; the spans are kept. */
function pushOrDrop(list: RawAttribute[], reader: WireReader, field: string): 0 | 1 {
  try {
    return pushAttribute(list, reader, field, silent);
  } catch (error) {
    if (!(error instanceof UnreadableSpan)) throw error;
    return 1;
  }
}

export function readResource(reader: WireReader): RawResource {
  const resource: RawResource = { attributes: [], dropped: 0, schema_url: '' };
  while (reader.next()) {
    if (reader.field === 1 && reader.type === wire.bytes) {
      resource.dropped += pushOrDrop(resource.attributes, reader.message(), 'resource attributes');
    } else if (reader.field === 2 && reader.type === wire.varint) resource.dropped += reader.uint32();
    else reader.skip();
  }
  return resource;
}

export function readScope(reader: WireReader): RawScope {
  const scope: RawScope = { name: '', version: '', attributes: [], dropped: 0, schema_url: '' };
  while (reader.next()) {
    if (reader.field === 1 && reader.type === wire.bytes) scope.name = reader.text(silent);
    else if (reader.field === 2 && reader.type === wire.bytes) scope.version = reader.text(silent);
    else if (reader.field === 3 && reader.type === wire.bytes) {
      scope.dropped += pushOrDrop(scope.attributes, reader.message(), 'scope attributes');
    } else if (reader.field === 4 && reader.type === wire.varint) scope.dropped += reader.uint32();
    else reader.skip();
  }
  return scope;
}
