/** Encodes spans and log records as OTLP/JSON, for the raw view, exports and forwarding. The inverse of decode-json.ts. */
import type { RawAttribute, RawLog, RawResource, RawScope, RawSpan, RawValue, SpanData } from './raw-span.ts';

type Json = Record<string, unknown>;

export function otlpJsonOf({ resource, scope, span, logs = [] }: SpanData): { resource: Json; scope: Json; span: Json; logs: Json[] } {
  return { resource: resourceJson(resource), scope: scopeJson(scope), span: spanJson(span), logs: logs.map(otlpLogOf) };
}

/** Omits default values, as the protocol does: empty text, empty lists, zero. */
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
  // JSON cannot write NaN or infinities, and -0 would be read back as 0.
  const isExact = Number.isFinite(double) && !Object.is(double, -0);
  return { doubleValue: isExact ? double : value.double };
}

/** A span or a log record. */
export interface WrittenItem {
  /** Everything before the first item: `{"resource":…,"scopeSpans":[{"scope":…,"spans":[`. */
  head: string;
  item: string;
}

/** Replacer of `JSON.stringify`. */
type Replacer = (this: unknown, key: string, value: unknown) => unknown;

/** Placeholder of the first item. */
const placeholder = '0';
/** Closes the head of spans and of log records. */
const closing = ']}]}';

const headText = (head: Json, replacer?: Replacer): string => JSON.stringify(head, replacer).slice(0, -placeholder.length - closing.length);

export function writtenSpan({ span, resource, scope }: SpanData, replacer?: Replacer): WrittenItem {
  const json = otlpJsonOf({ span, resource, scope });
  const { schemaUrl, ...resourceFields } = json.resource;
  const { schemaUrl: scopeUrl, ...scopeFields } = json.scope;
  const head = {
    resource: resourceFields,
    schemaUrl,
    scopeSpans: [{ scope: scopeFields, schemaUrl: scopeUrl, spans: [Number(placeholder)] }],
  };
  return { head: headText(head, replacer), item: JSON.stringify(json.span, replacer) };
}

const logHead = headText({ scopeLogs: [{ logRecords: [Number(placeholder)] }] });

/** The resource and scope of log records are not stored, only the record. */
export const writtenLog = (log: RawLog, replacer?: Replacer): WrittenItem => ({
  head: logHead,
  item: JSON.stringify(otlpLogOf(log), replacer),
});

/**
 * Drops empty arrays and objects, which OTLP reads like absent ones. An item then has no more arrays and objects than in its original
 * request, where `{}` may have been absent.
 */
export function withoutEmpty(this: unknown, _key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const isEmpty = Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0;
  if (!isEmpty) return value;
  return Array.isArray(this) ? null : undefined;
}

/** Text of an OTLP/JSON request with either spans or log records. Consecutive items share their resource and scope. */
export class OtlpText {
  /** UTF-16 units, about bytes. */
  length = 0;
  count = 0;
  readonly #pieces: string[] = [];
  #head = '';

  add(sent: SpanData): void {
    this.put(writtenSpan(sent));
  }

  put({ head, item }: WrittenItem): void {
    const piece = head === this.#head ? `,${item}` : `${this.#head === '' ? '' : `${closing},`}${head}${item}`;
    this.#pieces.push(piece);
    this.length += piece.length;
    this.#head = head;
    this.count++;
  }

  /** The value of `resourceSpans`, or of `resourceLogs`. */
  resourceSpans(): string {
    return this.#head === '' ? '[]' : `[${this.#pieces.join('')}${closing}]`;
  }
}

/** The value of `resourceLogs`; '' for none. */
export const resourceLogs = (logs: readonly RawLog[]): string =>
  logs.length === 0 ? '' : JSON.stringify([{ scopeLogs: [{ logRecords: logs.map(otlpLogOf) }] }]);
