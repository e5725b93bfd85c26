/** Traces and spans as the paths of a mapping read them: with complete payloads, parsed where they are JSON. */
import type { RowMapping } from '../../../../shared/contract/projects/datasets.ts';
import type { SpanInTrace } from '../../../../shared/contract/tracing/spans.ts';
import type { TraceDetail } from '../../../../shared/contract/tracing/traces.ts';
import type { RowSource } from '../../../../shared/row-mapping.ts';
import { readId } from '../../../ingest/otlp/identifiers.ts';
import type { Scope } from '../../../platform/scope.ts';
import type { TelemetryStore } from '../../../telemetry/store.ts';

const noExtras = { graph: false, scores: false };

/** Null for an unknown trace. */
export async function sourceOfTrace(
  telemetry: TelemetryStore,
  scope: Scope,
  traceId: string,
  mapping: RowMapping = {},
): Promise<RowSource | null> {
  const trace = (await telemetry.traces.find(scope, traceId, noExtras))?.decode();
  if (!trace) return null;
  const spanWith = (field: 'input' | 'output') => trace.spans.find((span) => trace[field] !== undefined && span[field] === trace[field]);
  const [input, output] = [spanWith('input'), spanWith('output')];
  const isNeeded = (span: SpanInTrace) => span === input || span === output || readsSpans(mapping);
  const spans: SpanInTrace[] = [];
  const completed = new Map<SpanInTrace, SpanInTrace>();
  for (const span of trace.spans) {
    const complete = isNeeded(span) ? await completeSpan(telemetry, scope, span) : span;
    completed.set(span, complete);
    spans.push(complete);
  }
  return {
    ...fieldsOf(trace),
    input: parseIfJson((input && completed.get(input)?.input) ?? trace.input),
    output: parseIfJson((output && completed.get(output)?.output) ?? trace.output),
    props: spans.map(({ props }) => parseIfJson(props)).find(isFilledObject) ?? null,
    metadata: trace.metadata,
    root_span: spans.find(({ parent_id }) => !spans.some(({ id }) => id === parent_id)) ?? null,
    spans,
  };
}

/** Null for an unknown span. */
export async function sourceOfSpan(
  telemetry: TelemetryStore,
  scope: Scope,
  traceId: string | null,
  spanId: string,
): Promise<RowSource | null> {
  const trace = traceId === null ? null : (await telemetry.traces.find(scope, traceId, noExtras))?.decode();
  const id = readId(spanId, 8);
  const found = trace?.spans.find((span) => span.id === id);
  if (!found) return null;
  const { input, output, props, truncated_fields: _, ...span } = await completeSpan(telemetry, scope, found);
  return { ...span, input: parseIfJson(input), output: parseIfJson(output), props: parseIfJson(props) };
}

const fieldsOf = ({ id, name, status, start, end, latency_ms, cost, tokens }: TraceDetail) => ({
  id,
  name,
  status,
  start,
  end,
  latency_ms,
  cost,
  tokens,
});

/** Whether a path reads the spans, which requires the whole trace. */
const readsSpans = ({ input, expected_output, metadata = {} }: RowMapping): boolean =>
  [input, expected_output, ...Object.values(metadata)].some((path) => path !== undefined && /^\$(?:$|\.spans|\.root_span)/.test(path));

/** Trace reads shorten long texts; a row must be complete. */
async function completeSpan(telemetry: TelemetryStore, scope: Scope, span: SpanInTrace): Promise<SpanInTrace> {
  const { truncated_fields, ...rest } = span;
  if (!truncated_fields) return span;
  const io = (await telemetry.spans.io(scope, span.trace_id, span.id))?.decode();
  if (!io) return span;
  const complete: SpanInTrace = { ...rest, input: io.input, output: io.output };
  if (io.output_object !== null) complete.output_object = io.output_object;
  if (io.tool_calls !== null) complete.tool_calls = io.tool_calls;
  return complete;
}

function parseIfJson(value: string | null | undefined): unknown {
  if (value === null || value === undefined || value === '') return undefined;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

const isFilledObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0;
