/** Events of a raw span. Exceptions are recognised by their attributes, not only by name. */

import { type Milliseconds, since, unixNano } from '../time/time.ts';
import { type Attribute, attributes, formatValue } from './otlp-value.ts';

export interface Exception {
  type: string;
  message: string;
  stack: string;
}

export interface SpanEvent {
  name: string;
  /** After the start of the span; null when either time is missing. */
  after: Milliseconds | null;
  attributes: Attribute[];
  exception: Exception | null;
}

type Fields = Record<string, unknown>;

function exception(name: string, list: readonly Attribute[]): Exception | null {
  const read = (key: string) =>
    list
      .filter((attribute) => attribute.key === `exception.${key}`)
      .map((attribute) => formatValue(attribute.value))
      .at(-1) ?? '';
  const found = { type: read('type'), message: read('message'), stack: read('stacktrace') };
  return name === 'exception' || found.type || found.message || found.stack ? found : null;
}

export function spanEvents(span: Fields): SpanEvent[] {
  const start = unixNano(span.startTimeUnixNano);
  const events = Array.isArray(span.events) ? (span.events as Fields[]) : [];
  return events.map((event) => {
    const at = unixNano(event.timeUnixNano);
    const name = typeof event.name === 'string' ? event.name : '';
    const list = attributes(event.attributes);
    return { name, after: start && at ? since(start, at) : null, attributes: list, exception: exception(name, list) };
  });
}

export interface SpanLink {
  trace_id: string;
  span_id: string;
  attributes: Attribute[];
}

export const spanLinks = (span: Fields): SpanLink[] =>
  (Array.isArray(span.links) ? (span.links as Fields[]) : []).map((link) => ({
    trace_id: String(link.traceId ?? ''),
    span_id: String(link.spanId ?? ''),
    attributes: attributes(link.attributes),
  }));

/** Items dropped by the sender (OTLP dropped counts). */
export function droppedBySender(span: Fields): { what: string; count: number }[] {
  const kinds = { attributes: 'droppedAttributesCount', events: 'droppedEventsCount', links: 'droppedLinksCount' };
  return Object.entries(kinds).flatMap(([what, key]) => {
    const count = Number(span[key] ?? 0);
    return count > 0 ? [{ what, count }] : [];
  });
}
