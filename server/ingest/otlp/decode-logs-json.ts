/** Decodes OTLP/JSON logs requests into the records to store. */
import { type DecodedLogs, emptyLogs, requireBelowLimit, UnreadableRequest, UnreadableSpan } from './decoded.ts';
import { readId } from './identifiers.ts';
import { isObject, type Json, readEnvelope } from './json-envelope.ts';
import { camelCased, type Notes, readAttributes, readCount, readValue, wellFormed } from './json-values.ts';
import { addLog, eventNameOf } from './log-events.ts';
import { readNanoseconds } from './nanoseconds.ts';
import type { RawLog, RawResource } from './raw-span.ts';

/** @throws UnreadableRequest when the bytes are not an OTLP/JSON logs request. */
export function decodeLogsJson(bytes: Uint8Array): DecodedLogs {
  const { lostDigits: _, ...decoded } = readEnvelope(bytes, readRequest) ?? { ...emptyLogs(), lostDigits: false };
  return decoded;
}

function readRequest(body: Json): DecodedLogs & { lostDigits: boolean } {
  const resources = body['resourceLogs'] ?? body['resource_logs'] ?? (Object.keys(body).length === 0 ? [] : undefined);
  if (!Array.isArray(resources))
    throw new UnreadableRequest('invalid_otlp_payload', 'The body has no resourceLogs array; /v1/logs takes logs');
  const decoded = { ...emptyLogs(), lostDigits: false };
  let index = 0;
  for (const { value, resource } of recordsOf(resources)) {
    requireBelowLimit(index);
    const notes: Notes = {
      warn: () => {},
      lostDigits: () => {
        decoded.lostDigits = true;
      },
    };
    try {
      if (!isObject(value)) throw new UnreadableSpan('is not an object');
      addLog(decoded, readLog(value, notes), resource);
    } catch (error) {
      if (!(error instanceof UnreadableSpan)) throw error;
      decoded.rejected.push(`logRecords[${index}]: ${error.message}`);
    }
    index++;
  }
  return decoded;
}

interface RecordItem {
  value: unknown;
  /** Read on first use, once. */
  resource(): RawResource;
}

function* recordsOf(resources: unknown[]): Generator<RecordItem> {
  for (const resourceLogs of resources) {
    let read: RawResource | null = null;
    const resource = () => (read ??= resourceOf(resourceLogs));
    for (const scope of listIn(resourceLogs, 'scopeLogs', 'scope_logs')) {
      for (const value of listIn(scope, 'logRecords', 'log_records')) yield { value, resource };
    }
  }
}

function resourceOf(resourceLogs: unknown): RawResource {
  const list = isObject(resourceLogs) && isObject(resourceLogs['resource']) ? resourceLogs['resource']['attributes'] : [];
  const attributes = (Array.isArray(list) ? list : []).flatMap((item) => readOrDrop([item]));
  return { attributes, dropped: 0, schema_url: '' };
}

/** An attribute that cannot be read is dropped; the record is kept. */
function readOrDrop(attributes: unknown[]): RawResource['attributes'] {
  try {
    return readAttributes(attributes, 'resource attributes', { warn: () => {} }).attributes;
  } catch (error) {
    if (!(error instanceof UnreadableSpan)) throw error;
    return [];
  }
}

/** The elements of a list under either of its names. A value that is not a list counts as one unreadable element, so that it is reported. */
function listIn(parent: unknown, name: string, otherName: string): unknown[] {
  const list = isObject(parent) ? (parent[name] ?? parent[otherName] ?? []) : null;
  return Array.isArray(list) ? list : [null];
}

function readLog(value: Json, notes: Notes): RawLog {
  const json = 'trace_id' in value ? camelCased(value) : value;
  const { attributes, cut } = readAttributes(json['attributes'], 'attributes', notes);
  const body = readValue(json['body'], notes);
  const text = (field: string) => (typeof json[field] === 'string' ? wellFormed(json[field], notes) : '');
  return {
    trace_id: readId(json['traceId'], 16) ?? '',
    span_id: readId(json['spanId'], 8) ?? '',
    name: eventNameOf(text('eventName'), attributes, body),
    time_ns: readNanoseconds(json['timeUnixNano'], 'timeUnixNano'),
    observed_ns: readNanoseconds(json['observedTimeUnixNano'], 'observedTimeUnixNano'),
    severity_number: typeof json['severityNumber'] === 'number' ? json['severityNumber'] : 0,
    severity_text: text('severityText'),
    body,
    attributes,
    dropped: readCount(json['droppedAttributesCount']) + cut,
  };
}
