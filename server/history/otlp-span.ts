/** Spans of the history as OTLP/JSON. */
import { agentHistoryScope } from '../ingest/agent-records/turn-record.ts';

export interface HistorySpan {
  traceId: string;
  spanId: string;
  /** '' for the root. */
  parentSpanId: string;
  name: string;
  /** Milliseconds since the epoch. */
  startMs: number;
  /** Null while it runs. */
  endMs: number | null;
  /** Of the program that did it. */
  resource: Attributes;
  /** Empty texts and undefined values are left out. */
  attributes: Attributes;
  /** Null unless it failed. */
  error: string | null;
}

type Attributes = Readonly<Record<string, string | number | undefined>>;

/** A request with one span for each entry of `resourceSpans`. */
export const otlpRequest = (resourceSpans: readonly string[]): string => `{"resourceSpans":[${resourceSpans.join(',')}]}`;

/** An entry of `resourceSpans`. */
export const resourceSpan = ({ resource, ...span }: HistorySpan): string =>
  JSON.stringify({
    resource: { attributes: attributesOf(resource) },
    scopeSpans: [{ scope: { name: agentHistoryScope }, spans: [otlpSpan(span)] }],
  });

const otlpSpan = ({ startMs, endMs, attributes, error, ...span }: Omit<HistorySpan, 'resource'>): object => ({
  ...span,
  kind: 1,
  startTimeUnixNano: nanoseconds(startMs),
  endTimeUnixNano: endMs === null ? '0' : nanoseconds(Math.max(startMs, endMs)),
  attributes: attributesOf(attributes),
  ...(error === null ? {} : { status: { code: 2, message: error } }),
});

const nanoseconds = (ms: number): string => String(BigInt(Math.max(0, Math.round(ms))) * 1_000_000n);

const attributesOf = (values: Attributes): object[] =>
  Object.entries(values).flatMap(([key, value]): object[] => {
    if (value === undefined || value === '') return [];
    if (typeof value === 'string') return [{ key, value: { stringValue: value } }];
    return [{ key, value: Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value } }];
  });
