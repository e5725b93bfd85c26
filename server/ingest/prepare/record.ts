/**
 * The stored form of a raw span: compact JSON without its ids, with references to its long texts, which are stored separately.
 * Decoding restores exactly what was encoded, for every value of the protocol (record.test.ts).
 */
import type { RawAttribute, RawEvent, RawLink, RawLog, RawSpan, RawValue } from '../otlp/raw-span.ts';
import { pieceLengthMin, splitText } from './split-text.ts';

/** Stores a text outside the record and returns its index. */
export type StoreText = (text: string) => number;

/** Reference to a text outside the record: `$` lists its pieces, `t` is the rest after them, `j` marks JSON of a RawValue. */
interface TextReference {
  $: number[];
  t?: string;
  j?: 1;
}

type StoredValue = RawValue | TextReference;
type StoredAttribute = [string, StoredValue];

interface StoredRecord {
  n: string;
  k?: number;
  /** Start and end in nanoseconds, as sent. */
  t: [string, string];
  a: StoredAttribute[];
  e?: { n: string; t: string; a: StoredAttribute[]; d?: number }[];
  l?: RawLink[];
  /** Status code and message. */
  s?: [0 | 1 | 2, string];
  /** Dropped attributes, events and links, as counted by the sender and by us. */
  d?: [number, number, number];
  x?: string;
  f?: number;
  /** Warnings. */
  w?: string[];
}

export function encodeRecord(span: RawSpan, warnings: string[], storeText: StoreText): string {
  const record: StoredRecord = { n: span.name, t: [span.start_ns, span.end_ns], a: extractLong(span.attributes, storeText) };
  if (span.kind !== 0) record.k = span.kind;
  if (span.events.length > 0) record.e = span.events.map((event) => encodeEvent(event, storeText));
  if (span.links.length > 0) record.l = span.links;
  if (span.status_code !== 0 || span.status_message !== '') record.s = [span.status_code, span.status_message];
  if (span.dropped_attributes || span.dropped_events || span.dropped_links)
    record.d = [span.dropped_attributes, span.dropped_events, span.dropped_links];
  if (span.trace_state !== '') record.x = span.trace_state;
  if (span.flags !== 0) record.f = span.flags;
  if (warnings.length > 0) record.w = warnings;
  return JSON.stringify(record);
}

export function encodeEvent(event: RawEvent, storeText: StoreText) {
  const stored = { n: event.name, t: event.time_ns, a: extractLong(event.attributes, storeText) };
  return event.dropped === 0 ? stored : { ...stored, d: event.dropped };
}

function extractLong(attributes: RawAttribute[], storeText: StoreText): StoredAttribute[] {
  if (!attributes.some(([, value]) => isLong(value))) return attributes;
  return attributes.map(([key, value]) => [key, storedValue(value, storeText)]);
}

/** The value in its record. */
export const storedValue = (value: RawValue, storeText: StoreText): StoredValue => (isLong(value) ? extract(value, storeText) : value);

const isLong = (value: RawValue): boolean =>
  typeof value === 'string' ? value.length >= pieceLengthMin : typeof value === 'object' && value !== null;

function extract(value: RawValue, storeText: StoreText): StoredValue {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (text.length < pieceLengthMin) return value;
  const { pieces, tail } = splitText(text);
  const stored: TextReference = { $: pieces.map(storeText) };
  if (tail !== '') stored.t = tail;
  if (typeof value !== 'string') stored.j = 1;
  return stored;
}

/** The ids of a span, which its row holds. */
export type SpanIds = Pick<RawSpan, 'trace_id' | 'span_id' | 'parent_id'>;

/** @param texts returns the text of an index */
export function decodeRecord(json: string, ids: SpanIds, texts: (index: number) => string): { span: RawSpan; warnings: string[] } {
  const record = JSON.parse(json) as StoredRecord;
  const [status_code, status_message] = record.s ?? [0, ''];
  const [dropped_attributes, dropped_events, dropped_links] = record.d ?? [0, 0, 0];
  const span: RawSpan = {
    trace_id: ids.trace_id,
    span_id: ids.span_id,
    parent_id: ids.parent_id,
    name: record.n,
    kind: record.k ?? 0,
    trace_state: record.x ?? '',
    flags: record.f ?? 0,
    start_ns: record.t[0],
    end_ns: record.t[1],
    attributes: restoreAll(record.a, texts),
    events: (record.e ?? []).map(({ n, t, a, d }) => ({ name: n, time_ns: t, attributes: restoreAll(a, texts), dropped: d ?? 0 })),
    links: record.l ?? [],
    status_code,
    status_message,
    dropped_attributes,
    dropped_events,
    dropped_links,
  };
  return { span, warnings: record.w ?? [] };
}

function restoreAll(attributes: StoredAttribute[], texts: (index: number) => string): RawAttribute[] {
  for (const attribute of attributes) {
    const value = attribute[1];
    if (typeof value === 'object' && value !== null && '$' in value) attribute[1] = restore(value, texts);
  }
  return attributes as RawAttribute[];
}

function restore(value: TextReference, texts: (index: number) => string): RawValue {
  const text = value.$.map(texts).join('') + (value.t ?? '');
  return value.j ? (JSON.parse(text) as RawValue) : text;
}

/** The stored form of a log record, by the same rules; its ids are in its row. */
type StoredLog = Omit<RawLog, 'trace_id' | 'span_id' | 'body' | 'attributes'> & { body: StoredValue; attributes: StoredAttribute[] };

export function encodeLog({ trace_id: _trace, span_id: _span, ...log }: RawLog, storeText: StoreText): string {
  const stored: StoredLog = {
    ...log,
    body: isLong(log.body) ? extract(log.body, storeText) : log.body,
    attributes: extractLong(log.attributes, storeText),
  };
  return JSON.stringify(stored);
}

export function decodeLog(json: string, ids: Pick<RawLog, 'trace_id' | 'span_id'>, texts: (index: number) => string): RawLog {
  const { body, attributes, ...log } = JSON.parse(json) as StoredLog;
  const [[, restored] = ['', null]] = restoreAll([['body', body]], texts);
  return { ...log, ...ids, body: restored, attributes: restoreAll(attributes, texts) };
}
