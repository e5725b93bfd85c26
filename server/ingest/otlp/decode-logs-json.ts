/** OTLP/JSON logs to the records that belong to spans. */
import { type DecodedLogs, noLogs, requireRoom, UnreadableRequest, UnreadableSpan } from './decoded.ts';
import { readId } from './identifiers.ts';
import { isObject, type Json, readEnvelope } from './json-envelope.ts';
import { camelCased, type Notes, readAttributes, readCount, readValue, wellFormed } from './json-values.ts';
import { eventNameOf, keepLog } from './log-events.ts';
import { readNanoseconds } from './nanoseconds.ts';
import type { RawLog, RawResource } from './raw-span.ts';

/** @throws UnreadableRequest when the bytes are no OTLP/JSON logs request. */
export function decodeLogsJson(bytes: Uint8Array): DecodedLogs {
  const { lostDigits: _, ...found } = readEnvelope(bytes, readRequest) ?? { ...noLogs(), lostDigits: false };
  return found;
}

function readRequest(body: Json): DecodedLogs & { lostDigits: boolean } {
  const resources = body['resourceLogs'] ?? body['resource_logs'] ?? (Object.keys(body).length === 0 ? [] : undefined);
  if (!Array.isArray(resources))
    throw new UnreadableRequest('invalid_otlp_payload', 'The body has no resourceLogs array; /v1/logs takes logs');
  const found = { ...noLogs(), lostDigits: false };
  let index = 0;
  for (const { value, resource } of recordsOf(resources)) {
    requireRoom(index);
    const notes: Notes = {
      warn: () => {},
      lostDigits: () => {
        found.lostDigits = true;
      },
    };
    try {
      if (!isObject(value)) throw new UnreadableSpan('is not an object');
      keepLog(found, readLog(value, notes), resource);
    } catch (error) {
      if (!(error instanceof UnreadableSpan)) throw error;
      found.rejected.push(`logRecords[${index}]: ${error.message}`);
    }
    index++;
  }
  return found;
}

interface Sent {
  value: unknown;
  /** Read when it is asked for, once. */
  resource(): RawResource;
}

function* recordsOf(resources: unknown[]): Generator<Sent> {
  for (const sender of resources) {
    let read: RawResource | null = null;
    const resource = () => (read ??= resourceOf(sender));
    for (const scope of listIn(sender, 'scopeLogs', 'scope_logs')) {
      for (const value of listIn(scope, 'logRecords', 'log_records')) yield { value, resource };
    }
  }
}

function resourceOf(sender: unknown): RawResource {
  const said = isObject(sender) && isObject(sender['resource']) ? sender['resource']['attributes'] : [];
  const attributes = (Array.isArray(said) ? said : []).flatMap((item) => readOrNothing([item]));
  return { attributes, dropped: 0, schema_url: '' };
}

/** One that cannot be read costs itself, not the record. */
function readOrNothing(attributes: unknown[]): RawResource['attributes'] {
  try {
    return readAttributes(attributes, 'resource attributes', { warn: () => {} }).attributes;
  } catch (error) {
    if (!(error instanceof UnreadableSpan)) throw error;
    return [];
  }
}

/** The elements of a list by either of its names. What has none to read counts as one that cannot be read, so that it is not lost unsaid. */
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
