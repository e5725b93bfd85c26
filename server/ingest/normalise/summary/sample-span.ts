import type { RawAttribute, RawEvent, RawSpan, RawValue, SpanData } from '../../otlp/raw-span.ts';

/** Spans for tests, given by the fields that matter. */

type Attributes = Record<string, RawValue>;

export interface Sample extends Partial<Omit<RawSpan, 'attributes' | 'events'>> {
  scope?: string;
  attributes?: Attributes;
  /** Attributes whose order or repetition matters. They follow `attributes`. */
  more?: RawAttribute[];
  resource?: Attributes;
  scopeAttributes?: Attributes;
  events?: { name: string; time_ns?: string; attributes?: Attributes }[];
}

export const START_NS = '1795226857000000000';

export function sample(fields: Sample): SpanData {
  const { scope = 'my-app', attributes = {}, more = [], resource = {}, scopeAttributes = {}, events = [], ...span } = fields;
  return {
    resource: { attributes: Object.entries(resource), dropped: 0, schema_url: '' },
    scope: { name: scope, version: '1.0.0', attributes: Object.entries(scopeAttributes), dropped: 0, schema_url: '' },
    span: {
      trace_id: '0af7651916cd43dd8448eb211c80319c',
      span_id: 'b7ad6b7169203331',
      parent_id: 'a1a2a3a4a5a6a7a8',
      name: 'a span',
      kind: 1,
      trace_state: '',
      flags: 0,
      start_ns: START_NS,
      end_ns: '1795226858000000000',
      attributes: [...Object.entries(attributes), ...more],
      events: events.map(eventOf),
      links: [],
      status_code: 0,
      status_message: '',
      dropped_attributes: 0,
      dropped_events: 0,
      dropped_links: 0,
      ...span,
    },
  };
}

function eventOf({ name, time_ns = START_NS, attributes = {} }: { name: string; time_ns?: string; attributes?: Attributes }): RawEvent {
  return { name, time_ns, attributes: Object.entries(attributes), dropped: 0 };
}
