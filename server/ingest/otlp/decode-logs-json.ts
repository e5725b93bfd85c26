/** OTLP/JSON logs to the records that belong to spans. */
import { type DecodedLogs, requireRoom, UnreadableRequest, UnreadableSpan } from './decoded.ts';
import { readId } from './identifiers.ts';
import { isObject, type Json, readEnvelope } from './json-envelope.ts';
import { camelCased, type Notes, readAttributes, readCount, readValue, wellFormed } from './json-values.ts';
import { eventNameOf, isKeptLog } from './log-events.ts';
import { readNanoseconds } from './nanoseconds.ts';
import type { RawLog } from './raw-span.ts';

/** @throws UnreadableRequest when the bytes are no OTLP/JSON logs request. */
export function decodeLogsJson(bytes: Uint8Array): DecodedLogs {
  const { logs, rejected } = readEnvelope(bytes, readRequest) ?? { logs: [], rejected: [] };
  return { logs, rejected };
}

function readRequest(body: Json): DecodedLogs & { lostDigits: boolean } {
  const resources = body['resourceLogs'] ?? body['resource_logs'] ?? (Object.keys(body).length === 0 ? [] : undefined);
  if (!Array.isArray(resources))
    throw new UnreadableRequest('invalid_otlp_payload', 'The body has no resourceLogs array; /v1/logs takes logs');
  const found = { logs: [] as RawLog[], rejected: [] as string[], lostDigits: false };
  let index = 0;
  for (const value of recordsOf(resources)) {
    requireRoom(index);
    const notes: Notes = {
      warn: () => {},
      lostDigits: () => {
        found.lostDigits = true;
      },
    };
    try {
      if (!isObject(value)) throw new UnreadableSpan('is not an object');
      const log = readLog(value, notes);
      if (isKeptLog(log)) found.logs.push(log);
    } catch (error) {
      if (!(error instanceof UnreadableSpan)) throw error;
      found.rejected.push(`logRecords[${index}]: ${error.message}`);
    }
    index++;
  }
  return found;
}

function* recordsOf(resources: unknown[]): Generator<unknown> {
  for (const resource of resources) {
    for (const scope of listIn(resource, 'scopeLogs', 'scope_logs')) yield* listIn(scope, 'logRecords', 'log_records');
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
  const text = (field: string) => (typeof json[field] === 'string' ? wellFormed(json[field], notes) : '');
  return {
    trace_id: readId(json['traceId'], 16) ?? '',
    span_id: readId(json['spanId'], 8) ?? '',
    name: eventNameOf(text('eventName'), attributes),
    time_ns: readNanoseconds(json['timeUnixNano'], 'timeUnixNano'),
    observed_ns: readNanoseconds(json['observedTimeUnixNano'], 'observedTimeUnixNano'),
    severity_number: typeof json['severityNumber'] === 'number' ? json['severityNumber'] : 0,
    severity_text: text('severityText'),
    body: readValue(json['body'], notes),
    attributes,
    dropped: readCount(json['droppedAttributesCount']) + cut,
  };
}
