/**
 * Three dozen traces that differ in everything a list can filter or sort by, with ties in every column. Their values are known without reading a
 * store. Traces are in order of arrival.
 */
import type { SpanStatus, SpanType } from '../../../shared/contract/tracing/spans.ts';
import { type AttributeInput, aSpan, testEpochMs } from '../../../shared/fixtures/otlp.ts';
import type { Tenant } from './tenant.ts';

export interface KnownSpan {
  id: string;
  trace_id: string;
  name: string;
  type: SpanType;
  status: SpanStatus;
  startMs: number;
  durationMs: number;
  model: string | null;
  user: string | null;
  session: string | null;
}

export interface KnownTrace {
  id: string;
  name: string;
  status: SpanStatus;
  startMs: number;
  endMs: number;
  latencyMs: number;
  cost: number;
  tokens: number;
  user: string | null;
  session: string | null;
  model: string | null;
  run: string | null;
  commit: string | null;
  tags: string[];
  sessionName: string;
  promptName: string;
  traceName: string;
  spans: KnownSpan[];
}

const hour = 3_600_000;

const pick = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;

const usages = [
  { cost: 0, tokens: 0 },
  { cost: 0.01, tokens: 15 },
  { cost: 0.01, tokens: 40 },
  { cost: 0.25, tokens: 15 },
  { cost: 0.000_001, tokens: 4_000 },
] as const;

export const knownTraces: readonly KnownTrace[] = Array.from({ length: 36 }, (_, index) => {
  const id = (0xabc0 + index).toString(16).padStart(32, '7');
  const spanId = (index: number) => (0x10 * index + index + 1).toString(16).padStart(16, 'd');
  const session = pick([null, 'chat-1', 'chat-2', 'Chat-1', 'chat-3', 'zürich'], index);
  const model = pick([null, 'gpt-4o', 'o3', 'gpt-4o-mini'], index + Math.floor(index / 5));
  const user = pick([null, 'ann', 'Ann', 'bob'], index + Math.floor(index / 7));
  const rootName = pick(['checkout', 'Checkout', 'search the web', 'Straße', 'search', 'checkout'], index + Math.floor(index / 11));
  const traceName = session === 'Chat-1' ? pick(['nightly', 'daily'], index) : '';
  const startMs = testEpochMs + Math.floor(index / 3) * 6 * hour;
  const latencyMs = pick([100, 250, 250, 1_000, 5], index);
  const base = { trace_id: id, session: null, user: null, model: null };
  const root: KnownSpan = {
    ...base,
    id: spanId(0),
    name: rootName,
    type: 'SPAN',
    status: pick(['OK', 'ERROR', 'UNSET', 'OK'], index),
    startMs,
    durationMs: latencyMs,
    session,
    user: model === null ? user : null,
  };
  const spans = [root];
  if (model !== null) {
    const name = `chat ${model}`;
    spans.push({ ...base, id: spanId(1), name, type: 'GENERATION', status: 'UNSET', startMs: startMs + 1, durationMs: 3, model, user });
  }
  // Work that continues after its caller has ended.
  if (index % 3 === 0) {
    spans.push({ ...base, id: spanId(2), name: 'Look up', type: 'SPAN', status: 'ERROR', startMs: startMs + 1, durationMs: latencyMs * 2 });
  }
  return {
    id,
    name: traceName || rootName,
    status: root.status,
    startMs,
    endMs: Math.max(...spans.map((span) => span.startMs + span.durationMs)),
    latencyMs,
    ...(model === null ? usages[0] : pick(usages, index)),
    user,
    session,
    model,
    run: pick([null, 'run-1', 'run-2', null], index + Math.floor(index / 9)),
    commit: pick([null, 'cafe01', 'cafe02'], Math.floor(index / 2)),
    tags: pick([[], ['a'], ['b'], ['a', 'b'], ['A']], index),
    sessionName: session === 'chat-1' ? pick(['Zeta', '', 'Alpha'], index) : '',
    promptName: session === 'chat-1' || session === 'chat-2' ? pick(['Beta', 'Omega'], index) : '',
    traceName,
    spans,
  };
});

export const knownSpans: readonly KnownSpan[] = knownTraces.flatMap(({ spans }) => spans);

/** Later than all spans, so that no clock seems wrong. */
const arrivalMs = testEpochMs + 96 * hour;

/** Writes all traces in order, one request for each. */
export async function populate(app: Tenant): Promise<void> {
  await Promise.all(
    knownTraces.map((trace) =>
      app.write(
        trace.spans.map((span, index) => otlpSpanOf(trace, span, index)),
        arrivalMs,
      ),
    ),
  );
}

function otlpSpanOf(trace: KnownTrace, { id, name, status, startMs, durationMs, model, user, session }: KnownSpan, index: number): object {
  const attributes: Record<string, AttributeInput> = {};
  const put = (key: string, value: AttributeInput) => {
    if (value !== null && value !== '') attributes[key] = value;
  };
  put('session.id', session);
  put('user.id', user);
  if (index === 0) {
    put('agentmark.tags', trace.tags.length > 0 ? trace.tags : null);
    put('agentmark.dataset_run_id', trace.run);
    put('agentmark.metadata.commit_sha', trace.commit);
    put('agentmark.session_name', trace.sessionName);
    put('agentmark.prompt_name', trace.promptName);
    put('agentmark.trace_name', trace.traceName);
  }
  if (model !== null) {
    put('gen_ai.operation.name', 'chat');
    put('gen_ai.request.model', model);
    put('gen_ai.usage.input_tokens', Math.floor(trace.tokens / 2));
    put('gen_ai.usage.output_tokens', Math.ceil(trace.tokens / 2));
    if (trace.cost > 0) put('agentmark.usage.cost_usd', trace.cost);
  }
  const parent = index === 0 ? {} : { parentSpanId: (trace.spans[0] as KnownSpan).id };
  return aSpan({ traceId: trace.id, spanId: id, ...parent, name, startMs, durationMs, status, attributes });
}

/** Sorts as a list must: by the key, texts by code units; ties by arrival, in the direction of the list. */
export function sorted<T>(rows: readonly T[], keyOf: (row: T) => string | number, direction: 'asc' | 'desc'): T[] {
  const positions = new Map(rows.map((row, position) => [row, position]));
  const ascending = rows.toSorted((left, right) => {
    const [a, b] = [keyOf(left), keyOf(right)];
    return a < b ? -1 : a > b ? 1 : (positions.get(left) as number) - (positions.get(right) as number);
  });
  return direction === 'asc' ? ascending : ascending.toReversed();
}
