/** Raw values in the form of the expectations: plain JSON. */
import { plainValue } from '../../../server/ingest/normalise/attributes.ts';
import type { RawAttribute, RawSpan } from '../../../server/ingest/otlp/raw-span.ts';

/** When a key repeats, the last one counts. */
export function plainAttributes(attributes: readonly RawAttribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(([key, value]) => [key, plainValue(value)]));
}

export function eventsOf({ events }: RawSpan): { name: string; attributes: Record<string, unknown> }[] {
  return events.map(({ name, attributes }) => ({ name, attributes: plainAttributes(attributes) }));
}

export function linksOf({ links }: RawSpan): { trace_id: string; span_id: string; attributes: Record<string, unknown> }[] {
  return links.map(({ trace_id, span_id, attributes }) => ({ trace_id, span_id, attributes: plainAttributes(attributes) }));
}
