/** A span as an SDK has it before export: the output of the generators and the input of both encoders. */

/** An integer is encoded as an int64, any other number as a double. */
export type Value = string | number | boolean;
export type Attribute = readonly [key: string, value: Value];

export interface SpanEvent {
  name: string;
  time_ns: string;
  attributes: Attribute[];
}

export interface Span {
  trace_id: string;
  span_id: string;
  /** '' for a root. */
  parent_id: string;
  name: string;
  /** OTLP SpanKind. */
  kind: number;
  /** Nanoseconds since the epoch as decimal text, because a double is not precise enough. */
  start_ns: string;
  end_ns: string;
  attributes: Attribute[];
  events: SpanEvent[];
  status_code: 0 | 1 | 2;
  status_message: string;
}

/** Resource and scope of the spans of a request. */
export interface Sender {
  resource: Attribute[];
  scope: { name: string; version: string };
}

export const agentService: Sender = {
  resource: [
    ['service.name', 'agent-service'],
    ['service.version', '4.2.1'],
    ['deployment.environment.name', 'prod'],
    ['telemetry.sdk.name', 'opentelemetry'],
    ['telemetry.sdk.language', 'nodejs'],
    ['telemetry.sdk.version', '2.1.0'],
    ['host.name', 'agents-7f9c'],
  ],
  scope: { name: 'agentmark', version: '2.1.5' },
};

/** Milliseconds with a fraction, as decimal nanoseconds. */
export function nanoseconds(ms: number): string {
  const whole = Math.floor(ms);
  return `${whole}${String(Math.floor((ms - whole) * 1e6)).padStart(6, '0')}`;
}
