/** Decodes OTLP protobuf logs requests into the records to store (opentelemetry-proto 1.x, logs.proto). */
import { type DecodedLogs, emptyLogs, requireBelowLimit, UnreadableRequest, UnreadableSpan } from './decoded.ts';
import { readId } from './identifiers.ts';
import type { Notes } from './json-values.ts';
import { addLog, eventNameOf } from './log-events.ts';
import { pushAttribute, readResource, readValue, silent } from './protobuf-values.ts';
import type { RawLog, RawResource } from './raw-span.ts';
import { MalformedProtobuf, WireReader, wire } from './wire-reader.ts';

/** @throws UnreadableRequest when the bytes are not a protobuf logs request. */
export function decodeLogsProtobuf(bytes: Uint8Array): DecodedLogs {
  const decoded = emptyLogs();
  try {
    let index = 0;
    for (const { record, resource } of recordsOf(new WireReader(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)))) {
      requireBelowLimit(index);
      readRecord(record, resource, index++, decoded);
    }
  } catch (error) {
    if (!(error instanceof MalformedProtobuf)) throw error;
    throw new UnreadableRequest('protobuf_decode_failed', `The body is not an OTLP protobuf logs request: ${error.message}`);
  }
  return decoded;
}

/** Resource logs are field 1 of the request, scope logs field 2 of those, records field 2 of these. */
function* recordsOf(request: WireReader): Generator<{ record: WireReader; resource: () => RawResource }> {
  for (const resourceLogs of messagesAt(request, 1)) {
    let resource: RawResource = { attributes: [], dropped: 0, schema_url: '' };
    const scopes: WireReader[] = [];
    while (resourceLogs.next()) {
      if (resourceLogs.field === 1 && resourceLogs.type === wire.bytes) resource = readResource(resourceLogs.message());
      else if (resourceLogs.field === 2 && resourceLogs.type === wire.bytes) scopes.push(resourceLogs.message());
      else resourceLogs.skip();
    }
    for (const scope of scopes) for (const record of messagesAt(scope, 2)) yield { record, resource: () => resource };
  }
}

function* messagesAt(reader: WireReader, field: number): Generator<WireReader> {
  while (reader.next()) {
    if (reader.field === field && reader.type === wire.bytes) yield reader.message();
    else reader.skip();
  }
}

function readRecord(record: WireReader, resource: () => RawResource, index: number, decoded: DecodedLogs): void {
  try {
    addLog(decoded, readLog(record), resource);
  } catch (error) {
    if (!(error instanceof UnreadableSpan || error instanceof MalformedProtobuf)) throw error;
    decoded.rejected.push(`log_records[${index}]: ${error.message}`);
  }
}

type FieldReader = (log: RawLog, reader: WireReader, notes: Notes) => void;

const logFields: Record<number, FieldReader> = {
  [(1 << 3) | wire.fixed64]: (log, reader) => {
    log.time_ns = reader.fixed64();
  },
  [(2 << 3) | wire.varint]: (log, reader) => {
    log.severity_number = reader.uint32();
  },
  [(3 << 3) | wire.bytes]: (log, reader, notes) => {
    log.severity_text = reader.text(notes);
  },
  [(5 << 3) | wire.bytes]: (log, reader, notes) => {
    log.body = readValue(reader.message(), notes, 0);
  },
  [(6 << 3) | wire.bytes]: (log, reader, notes) => {
    log.dropped += pushAttribute(log.attributes, reader.message(), 'attributes', notes);
  },
  [(7 << 3) | wire.varint]: (log, reader) => {
    log.dropped += reader.uint32();
  },
  [(9 << 3) | wire.bytes]: (log, reader) => {
    log.trace_id = readId(reader.bytes().toString('hex'), 16) ?? '';
  },
  [(10 << 3) | wire.bytes]: (log, reader) => {
    log.span_id = readId(reader.bytes().toString('hex'), 8) ?? '';
  },
  [(11 << 3) | wire.fixed64]: (log, reader) => {
    log.observed_ns = reader.fixed64();
  },
  [(12 << 3) | wire.bytes]: (log, reader, notes) => {
    log.name = reader.text(notes);
  },
};

function readLog(reader: WireReader): RawLog {
  const log: RawLog = {
    trace_id: '',
    span_id: '',
    name: '',
    time_ns: '0',
    observed_ns: '0',
    severity_number: 0,
    severity_text: '',
    body: null,
    attributes: [],
    dropped: 0,
  };
  while (reader.next()) {
    const read = logFields[(reader.field << 3) | reader.type];
    if (read) read(log, reader, silent);
    else reader.skip();
  }
  return { ...log, name: eventNameOf(log.name, log.attributes, log.body) };
}
