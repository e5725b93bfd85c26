/** Decodes OTLP/JSON traces requests: lenient with sloppy senders (docs/reference/ingest.md#endpoints), exact where a value could be lost. */
import { isOfAgent } from '../agent-records/agent-span.ts';
import { type DecodedRequest, type DecodedSpan, requireBelowLimit, UnreadableRequest, UnreadableSpan } from './decoded.ts';
import { readId, readParentId } from './identifiers.ts';
import { isObject, type Json } from './json-envelope.ts';
import { camelCased, cutText, type Notes, numberOf, readAttributes, readCount, warnOfRepeats, wellFormed } from './json-values.ts';
import { otlpLimits } from './limits.ts';
import { readNanoseconds } from './nanoseconds.ts';
import type { RawEvent, RawLink, RawResource, RawScope, RawSpan } from './raw-span.ts';
import { Remembered } from './remembered.ts';
import { SlicedBody } from './sliced-body.ts';
import type { ListReader } from './tape/json-span.ts';
import { asPlain, notForTape } from './tape/tape-span.ts';

const textOf = (value: unknown, notes: Notes): string => (typeof value === 'string' ? wellFormed(value, notes) : '');

/** @throws UnreadableRequest when the bytes are not an OTLP/JSON traces request. */
export function decodeJson(bytes: Uint8Array): DecodedRequest {
  const spans: DecodedSpan[] = [];
  return { spans, rejected: eachJsonSpan(bytes, (decoded) => spans.push({ ...decoded, span: asPlain(decoded.span) })) };
}

/**
 * Passes each readable span to `take` when it is decoded, so that no span lives longer than its processing.
 * @returns the reasons of rejected spans
 * @throws UnreadableRequest when the bytes are not an OTLP/JSON traces request; spans that were passed on before must be discarded
 */
export function eachJsonSpan(bytes: Uint8Array, take: (span: DecodedSpan) => void): string[] {
  const sliced = new SlicedBody(bytes);
  const reader = new RequestReader(sliced, take);
  if (sliced.body !== null) for (const resource of resourcesOf(sliced.body)) reader.readResourceSpans(resource);
  return reader.rejected;
}

function resourcesOf(body: Json): unknown[] {
  const resources = body['resourceSpans'] ?? body['resource_spans'];
  if (resources === undefined || resources === null) {
    const other = ['resourceLogs', 'resource_logs', 'resourceMetrics', 'resource_metrics'].find((key) => key in body);
    if (other)
      throw new UnreadableRequest(
        'invalid_otlp_payload',
        `This is an OTLP ${other.includes('ogs') ? 'logs' : 'metrics'} request; /v1/traces takes traces`,
      );
    if (Object.keys(body).length > 0) throw new UnreadableRequest('invalid_otlp_payload', 'The body has no resourceSpans');
    return [];
  }
  if (!Array.isArray(resources)) throw new UnreadableRequest('invalid_otlp_payload', 'resourceSpans is not an array');
  return resources;
}

/** Every request of an application has the same ones. */
const resources = new Remembered<RawResource>();
const scopes = new Remembered<RawScope>();

class RequestReader {
  readonly rejected: string[] = [];
  readonly #sliced: SlicedBody;
  readonly #take: (span: DecodedSpan) => void;
  #index = 0;

  constructor(sliced: SlicedBody, take: (span: DecodedSpan) => void) {
    this.#sliced = sliced;
    this.#take = take;
  }

  readResourceSpans(value: unknown): void {
    if (!isObject(value)) {
      this.#reject('resourceSpans', 'is not an object');
      return;
    }
    const resource = resources.of([value['resource'], value['schemaUrl']], () => this.#readResource(value));
    const scopes = value['scopeSpans'] ?? value['scope_spans'] ?? value['instrumentationLibrarySpans'] ?? [];
    if (!Array.isArray(scopes)) {
      this.#reject('scopeSpans', 'is not an array');
      return;
    }
    for (const scope of scopes) this.#readScopeSpans(scope, resource);
  }

  #readScopeSpans(value: unknown, resource: RawResource): void {
    if (!isObject(value)) {
      this.#reject('scopeSpans', 'is not an object');
      return;
    }
    const spans = value['spans'] ?? [];
    if (!Array.isArray(spans)) {
      this.#reject('spans', 'is not an array');
      return;
    }
    const source = [value['scope'], value['instrumentationLibrary'], value['schemaUrl']];
    const scope = scopes.of(source, () => this.#readScope(value));
    for (const span of spans) this.#readSpan(span, resource, scope);
  }

  #readSpan(value: unknown, resource: RawResource, scope: RawScope): void {
    const index = this.#index++;
    requireBelowLimit(index);
    let read: Pick<DecodedSpan, 'span' | 'warnings'>;
    try {
      read = this.#taped(value, scope) ?? this.#readItem(value);
    } catch (error) {
      if (!(error instanceof UnreadableSpan)) throw error;
      this.rejected.push(`spans[${index}]: ${error.message}`);
      return;
    }
    this.#take({ ...read, resource, scope });
  }

  /** The spans of coding agents are combined with their log records, field by field. */
  #taped(item: unknown, scope: RawScope): Pick<DecodedSpan, 'span' | 'warnings'> | null {
    const span = this.#sliced.taped(item, lists);
    return span && { span: isOfAgent(span.name, scope) ? span.whole() : span, warnings: [] };
  }

  /** Doubles cannot carry nanoseconds: when digits were lost, the span is parsed again with its long numbers as text. */
  #readItem(item: unknown, exact = false): Pick<DecodedSpan, 'span' | 'warnings'> {
    const json = this.#sliced.span(item, exact);
    if (!json) throw new UnreadableSpan('is not an object');
    const warnings: string[] = [];
    let lostDigits = false;
    const notes: Notes = {
      warn: (message) => void (warnings.includes(message) || warnings.push(message)),
      lostDigits: () => {
        lostDigits = true;
      },
    };
    const span = readSpan('traceId' in json ? json : camelCased(json), notes);
    return lostDigits && !exact ? this.#readItem(item, true) : { span, warnings };
  }

  #reject(what: string, why: string): void {
    requireBelowLimit(this.#index);
    this.rejected.push(`${what}[${this.#index++}]: ${why}`);
  }

  #readResource(value: Json): RawResource {
    const resource = isObject(value['resource']) ? value['resource'] : {};
    return {
      ...this.#readAttributes(resource, 'resource attributes'),
      schema_url: typeof value['schemaUrl'] === 'string' ? value['schemaUrl'].toWellFormed() : '',
    };
  }

  #readScope(value: Json): RawScope {
    const scope = isObject(value['scope'])
      ? value['scope']
      : isObject(value['instrumentationLibrary'])
        ? value['instrumentationLibrary']
        : {};
    const schema_url = typeof value['schemaUrl'] === 'string' ? value['schemaUrl'].toWellFormed() : '';
    const name = typeof scope['name'] === 'string' ? scope['name'].toWellFormed() : '';
    const version = typeof scope['version'] === 'string' ? scope['version'].toWellFormed() : '';
    return { name, version, ...this.#readAttributes(scope, 'scope attributes'), schema_url };
  }

  /** Attributes of a resource or scope. An unreadable attribute is dropped; the spans are kept. */
  #readAttributes(item: Json, field: string): Pick<RawResource, 'attributes' | 'dropped'> {
    const notes: Notes = { warn: () => {} };
    const reportedDrops = readCount(item['droppedAttributesCount']);
    const list = item['attributes'];
    const complete = readOrDrop(list, field, notes);
    if (complete) return { attributes: complete.attributes, dropped: reportedDrops + complete.cut };
    if (!Array.isArray(list)) return { attributes: [], dropped: reportedDrops + 1 };
    const attributes = list.slice(0, otlpLimits.attributesMax).flatMap((item) => readOrDrop([item], field, notes)?.attributes ?? []);
    return { attributes, dropped: reportedDrops + list.length - attributes.length };
  }
}

function readOrDrop(list: unknown, field: string, notes: Notes): ReturnType<typeof readAttributes> | null {
  try {
    return readAttributes(list, field, notes);
  } catch (error) {
    if (!(error instanceof UnreadableSpan)) throw error;
    return null;
  }
}

const lists: ListReader = {
  events: (json) => readList(json, 'events', otlpLimits.eventsMax, notForTape, readEvent),
  links: (json) => readList(json, 'links', otlpLimits.linksMax, notForTape, readLink),
};

const statusNames = ['unset', 'ok', 'error'];
const kindNames = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'];

/** Enums are numbers by the specification. Names are accepted in any case, with a warning. Any other value is 0. */
function readEnum(value: unknown, names: string[], prefix: string, notes: Notes): number {
  const nameIndex = typeof value === 'string' ? names.indexOf(value.toLowerCase().replace(prefix, '')) : -1;
  if (nameIndex >= 0) notes.warn(`${prefix}${names[nameIndex]} was sent as a name instead of a number`);
  const number = nameIndex >= 0 ? nameIndex : numberOf(value);
  return Number.isInteger(number) && number > 0 && number < names.length ? number : 0;
}

function readSpan(json: Json, notes: Notes): RawSpan {
  const trace_id = readId(json['traceId'], 16);
  if (!trace_id) throw new UnreadableSpan('traceId is missing, all zero or not an id');
  const span_id = readId(json['spanId'], 8);
  if (!span_id) throw new UnreadableSpan('spanId is missing, all zero or not an id');
  const parent = readParentId(json['parentSpanId']);
  if (parent.isInvalid) notes.warn('parentSpanId is not an id; the span is kept as a root');
  const attributes = readAttributes(json['attributes'], 'attributes', notes);
  warnOfRepeats(attributes.attributes, notes);
  const events = readList(json['events'], 'events', otlpLimits.eventsMax, notes, readEvent);
  const links = readList(json['links'], 'links', otlpLimits.linksMax, notes, readLink);
  const status = isObject(json['status']) ? json['status'] : {};
  return {
    trace_id,
    span_id,
    parent_id: parent.id,
    name: readName(json['name'], notes),
    kind: readEnum(json['kind'], kindNames, 'span_kind_', notes),
    trace_state: textOf(json['traceState'], notes),
    flags: readCount(json['flags']),
    start_ns: readTime(json['startTimeUnixNano'], 'startTimeUnixNano', notes),
    end_ns: readTime(json['endTimeUnixNano'], 'endTimeUnixNano', notes),
    attributes: attributes.attributes,
    events: events.items,
    links: links.items,
    status_code: readEnum(status['code'], statusNames, 'status_code_', notes) as 0 | 1 | 2,
    status_message: textOf(status['message'], notes),
    dropped_attributes: readCount(json['droppedAttributesCount']) + attributes.cut,
    dropped_events: readCount(json['droppedEventsCount']) + events.cut,
    dropped_links: readCount(json['droppedLinksCount']) + links.cut,
  };
}

function readTime(value: unknown, field: string, notes: Notes): string {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) notes.lostDigits?.();
  return readNanoseconds(value, field);
}

export function readName(value: unknown, notes: Notes): string {
  const name = textOf(value, notes);
  if (name.length <= otlpLimits.nameLengthMax) return name;
  notes.warn(`a name of ${name.length} characters was cut to ${otlpLimits.nameLengthMax}`);
  return cutText(name, otlpLimits.nameLengthMax);
}

function readList<T>(
  value: unknown,
  field: string,
  max: number,
  notes: Notes,
  read: (item: Json, notes: Notes) => T,
): { items: T[]; cut: number } {
  if (value === undefined || value === null) return { items: [], cut: 0 };
  if (!Array.isArray(value)) throw new UnreadableSpan(`${field} is not an array`);
  const items = value
    .slice(0, max)
    .filter(isObject)
    .map((item) => read(item, notes));
  const cut = Math.max(0, value.length - max);
  if (cut > 0) notes.warn(`${cut} of ${value.length} ${field} were dropped: at most ${max} are kept`);
  return { items, cut };
}

function readEvent(json: Json, notes: Notes): RawEvent {
  const { attributes, cut } = readAttributes(json['attributes'], 'event attributes', notes);
  return {
    name: readName(json['name'], notes),
    time_ns: readTime(json['timeUnixNano'] ?? json['time_unix_nano'], 'an event timeUnixNano', notes),
    attributes,
    dropped: readCount(json['droppedAttributesCount']) + cut,
  };
}

function readLink(json: Json, notes: Notes): RawLink {
  const { attributes, cut } = readAttributes(json['attributes'], 'link attributes', notes);
  return {
    trace_id: readId(json['traceId'] ?? json['trace_id'], 16) ?? '',
    span_id: readId(json['spanId'] ?? json['span_id'], 8) ?? '',
    trace_state: textOf(json['traceState'], notes),
    flags: readCount(json['flags']),
    attributes,
    dropped: readCount(json['droppedAttributesCount']) + cut,
  };
}
