/**
 * A span as it was sent: the stored form, from which everything else is derived.
 * JSON and protobuf of one request decode to equal values (same-request.test.ts), and every value survives JSON text.
 */

/**
 * An OTLP AnyValue that JSON can carry without loss.
 * - text, boolean and null (an AnyValue without any field) are themselves
 * - a whole JSON number is an int64 within ±2^53, a fractional one a double
 * - `{int}` is an int64 beyond that, `{double}` a double that prints like a whole number or is not finite ("NaN", "Infinity", "-0", "3")
 * - `{bytes}` is base64, `{map}` a kvlist; an object always has exactly one of these keys, so nothing is ambiguous
 */
export type RawValue =
  | string
  | number
  | boolean
  | null
  | RawValue[]
  | { int: string }
  | { double: string }
  | { bytes: string }
  | { map: RawAttribute[] };

/** In the order received. When a key repeats, the last one counts. */
export type RawAttribute = [key: string, value: RawValue];

export interface RawEvent {
  name: string;
  /** Unsigned nanoseconds since the epoch, decimal. */
  time_ns: string;
  attributes: RawAttribute[];
  dropped: number;
}

export interface RawLink {
  trace_id: string;
  span_id: string;
  trace_state: string;
  flags: number;
  attributes: RawAttribute[];
  dropped: number;
}

export interface RawSpan {
  /** Lower-case hex, or readable text as sent (docs/reference/ingest.md#identifiers). */
  trace_id: string;
  span_id: string;
  /** Null for a root: absent, empty or all zero. */
  parent_id: string | null;
  name: string;
  /** OTLP SpanKind number, 0 when absent. */
  kind: number;
  trace_state: string;
  flags: number;
  /** Unsigned nanoseconds, decimal, as sent; "0" when absent. */
  start_ns: string;
  end_ns: string;
  attributes: RawAttribute[];
  events: RawEvent[];
  links: RawLink[];
  /** 0 unset, 1 ok, 2 error. */
  status_code: 0 | 1 | 2;
  status_message: string;
  dropped_attributes: number;
  dropped_events: number;
  dropped_links: number;
}

export interface RawResource {
  attributes: RawAttribute[];
  dropped: number;
  schema_url: string;
}

export interface RawScope {
  name: string;
  version: string;
  attributes: RawAttribute[];
  dropped: number;
  schema_url: string;
}

/** A log record that belongs to a span: newer instrumentations send message content this way (docs/reference/ingest.md#log-records). */
export interface RawLog {
  trace_id: string;
  span_id: string;
  /** `event_name`, or the attribute `event.name`. */
  name: string;
  time_ns: string;
  observed_ns: string;
  severity_number: number;
  severity_text: string;
  body: RawValue;
  attributes: RawAttribute[];
  dropped: number;
}

/** A span with its resource, its instrumentation scope and its log records, oldest first. */
export interface SpanData {
  span: RawSpan;
  resource: RawResource;
  scope: RawScope;
  logs?: RawLog[];
}

/** A span without content. */
export const emptySpan = (): RawSpan => ({
  trace_id: '',
  span_id: '',
  parent_id: null,
  name: '',
  kind: 0,
  trace_state: '',
  flags: 0,
  start_ns: '0',
  end_ns: '0',
  attributes: [],
  events: [],
  links: [],
  status_code: 0,
  status_message: '',
  dropped_attributes: 0,
  dropped_events: 0,
  dropped_links: 0,
});
