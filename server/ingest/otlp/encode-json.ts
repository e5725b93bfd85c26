/** Back to OTLP/JSON: what the viewer shows as raw, and what export writes. The inverse of decode-json.ts. */
import type { RawAttribute, RawLog, RawResource, RawScope, RawSpan, RawValue, SentSpan } from './raw-span.ts';

type Json = Record<string, unknown>;

export function otlpJsonOf({ resource, scope, span, logs = [] }: SentSpan): { resource: Json; scope: Json; span: Json; logs: Json[] } {
  return { resource: resourceJson(resource), scope: scopeJson(scope), span: spanJson(span), logs: logs.map(otlpLogOf) };
}

/** Leaves out what the protocol leaves out: empty text, empty lists, zero. */
function present(json: Json): Json {
  return Object.fromEntries(
    Object.entries(json).filter(
      ([, value]) => value !== '' && value !== 0 && value !== null && !(Array.isArray(value) && value.length === 0),
    ),
  );
}

const resourceJson = ({ attributes, dropped, schema_url }: RawResource): Json =>
  present({ attributes: attributes.map(attributeJson), droppedAttributesCount: dropped, schemaUrl: schema_url });

const scopeJson = ({ name, version, attributes, dropped, schema_url }: RawScope): Json =>
  present({ name, version, attributes: attributes.map(attributeJson), droppedAttributesCount: dropped, schemaUrl: schema_url });

function spanJson(span: RawSpan): Json {
  return {
    traceId: span.trace_id,
    spanId: span.span_id,
    ...present({ parentSpanId: span.parent_id, traceState: span.trace_state, flags: span.flags }),
    name: span.name,
    kind: span.kind,
    startTimeUnixNano: span.start_ns,
    endTimeUnixNano: span.end_ns,
    attributes: span.attributes.map(attributeJson),
    ...present({
      droppedAttributesCount: span.dropped_attributes,
      events: span.events.map(({ name, time_ns, attributes, dropped }) => ({
        timeUnixNano: time_ns,
        name,
        ...present({ attributes: attributes.map(attributeJson), droppedAttributesCount: dropped }),
      })),
      droppedEventsCount: span.dropped_events,
      links: span.links.map(({ trace_id, span_id, trace_state, flags, attributes, dropped }) => ({
        traceId: trace_id,
        spanId: span_id,
        ...present({ traceState: trace_state, flags, attributes: attributes.map(attributeJson), droppedAttributesCount: dropped }),
      })),
      droppedLinksCount: span.dropped_links,
    }),
    status: present({ code: span.status_code, message: span.status_message }),
  };
}

export const otlpLogOf = (log: RawLog): Json => ({
  traceId: log.trace_id,
  spanId: log.span_id,
  timeUnixNano: log.time_ns,
  ...present({
    observedTimeUnixNano: log.observed_ns,
    severityNumber: log.severity_number,
    severityText: log.severity_text,
    eventName: log.name,
  }),
  body: valueJson(log.body),
  attributes: log.attributes.map(attributeJson),
  ...present({ droppedAttributesCount: log.dropped }),
});

const attributeJson = ([key, value]: RawAttribute): Json => ({ key, value: valueJson(value) });

function valueJson(value: RawValue): Json {
  if (value === null) return {};
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number') return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(valueJson) } };
  if ('int' in value) return { intValue: value.int };
  if ('bytes' in value) return { bytesValue: value.bytes };
  if ('map' in value) return { kvlistValue: { values: value.map.map(attributeJson) } };
  const double = Number(value.double);
  // JSON has no words for these, and -0 would come back as 0.
  const isWritten = Number.isFinite(double) && !Object.is(double, -0);
  return { doubleValue: isWritten ? double : value.double };
}
