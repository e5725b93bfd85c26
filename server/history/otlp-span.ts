/** Spans of the history as OTLP/JSON. */
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
  /** Empty texts and undefined values are left out. */
  attributes: Readonly<Record<string, string | number | undefined>>;
  /** Null unless it failed. */
  error: string | null;
}

/** @param resource attributes of the program that did it */
export const otlpRequest = (resource: Readonly<Record<string, string>>, spans: readonly HistorySpan[]): object => ({
  resourceSpans: [
    { resource: { attributes: attributesOf(resource) }, scopeSpans: [{ scope: { name: 'glasshouse.history' }, spans: spans.map(otlpSpan) }] },
  ],
});

const otlpSpan = ({ startMs, endMs, attributes, error, ...span }: HistorySpan): object => ({
  ...span,
  kind: 1,
  startTimeUnixNano: nanoseconds(startMs),
  endTimeUnixNano: endMs === null ? '0' : nanoseconds(Math.max(startMs, endMs)),
  attributes: attributesOf(attributes),
  ...(error === null ? {} : { status: { code: 2, message: error } }),
});

const nanoseconds = (ms: number): string => `${Math.max(0, Math.round(ms))}000000`;

const attributesOf = (values: HistorySpan['attributes']): object[] =>
  Object.entries(values).flatMap(([key, value]) => {
    if (value === undefined || value === '') return [];
    if (typeof value === 'string') return [{ key, value: { stringValue: value } }];
    return [{ key, value: Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value } }];
  });
