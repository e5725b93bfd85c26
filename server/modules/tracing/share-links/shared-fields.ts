/** What readers of a shared trace get. Each answer names every field that goes out, so that a new one stays inside until it is added here. */

import { outlineFlag } from '../../../../shared/contract/tracing/outline-flags.ts';
import type { RawSpanReply } from '../../../../shared/contract/tracing/raw-span.ts';
import type { SharedSpan, ShareLinkHides } from '../../../../shared/contract/tracing/shared-trace.ts';
import type { SpanIo } from '../../../../shared/contract/tracing/spans.ts';
import type { SpanPreview, TraceOutline } from '../../../../shared/contract/tracing/trace-outline.ts';

export interface Shown {
  contents: boolean;
  costs: boolean;
  attributes: boolean;
}

/** Any attribute may have contents or costs, so all of them are shown only together with both. */
export const shownBy = ({ contents, attributes, costs }: ShareLinkHides): Shown => ({
  ...{ contents: !contents, costs: !costs, attributes: !attributes && !contents && !costs },
});

/** Attributes that are always shown, where their value is a number, true or false, or a short name. */
const standardAttributes: ReadonlySet<unknown> = new Set([
  'gen_ai.operation.name',
  'gen_ai.provider.name',
  'gen_ai.system',
  'gen_ai.request.model',
  'gen_ai.request.temperature',
  'gen_ai.request.top_p',
  'gen_ai.request.top_k',
  'gen_ai.request.max_tokens',
  'gen_ai.request.seed',
  'gen_ai.request.frequency_penalty',
  'gen_ai.request.presence_penalty',
  'gen_ai.response.model',
  'gen_ai.usage.input_tokens',
  'gen_ai.usage.output_tokens',
]);
const shortName = /^[\w./:@-]{1,100}$/;

export function sharedOutline(trace: TraceOutline, { attributes, costs }: Shown): TraceOutline {
  const { id, name, status, start, end, latency_ms, tokens, origin, names, models, services, spans } = trace;
  return {
    ...{ id, name, status, start, end, latency_ms, tokens, origin, names, models, services },
    cost: costs ? trace.cost : 0,
    // Ids of sessions and users lead to other traces and to people; scores are opinions of people.
    ...{ session_id: null, user_id: null, scores: [], metadata: attributes ? trace.metadata : {}, tags: attributes ? trace.tags : [] },
    spans: {
      ...{ id: spans.id, parent: spans.parent, start_us: spans.start_us, duration_us: spans.duration_us, ttft_us: spans.ttft_us },
      ...{ name: spans.name, model: spans.model, service: spans.service, kind: spans.kind, status: spans.status },
      flags: costs ? spans.flags : spans.flags.map((flags) => flags & ~outlineFlag.unpriced),
      ...{ input_tokens: spans.input_tokens, output_tokens: spans.output_tokens },
      ...{ cached_tokens: spans.cached_tokens, tokens: spans.tokens },
      cost: costs ? spans.cost : spans.cost.map(() => 0),
    },
  };
}

export function sharedPreview(span: SpanPreview, { contents, attributes, costs }: Shown): SpanPreview {
  const { id, trace_id, parent_id, name, status, duration_ms, timestamp, type, model, span_kind, service_name } = span;
  const { input_tokens, output_tokens, reasoning_tokens, tokens, event_us, event_count } = span;
  return {
    ...{ id, trace_id, parent_id, name, status, duration_ms, timestamp, type, model, span_kind },
    ...{ input_tokens, output_tokens, tokens, event_us, event_count },
    ...(service_name !== undefined && { service_name }),
    ...(reasoning_tokens !== undefined && { reasoning_tokens }),
    ...(costs ? { cost: span.cost, cost_source: span.cost_source } : { cost: 0, cost_source: 'none' }),
    ...(contents && contentsOf(span)),
    ...(attributes
      ? {
          ...{ metadata: span.metadata, prompt_name: span.prompt_name, props: span.props, settings: span.settings },
          finish_reason: span.finish_reason,
        }
      : { metadata: {}, prompt_name: null, props: null, settings: null, finish_reason: null }),
  };
}

const contentFields = ['status_message', 'input', 'output', 'output_object', 'tool_calls', 'truncated_fields', 'damaged'] as const;

const contentsOf = (span: SpanPreview) =>
  Object.fromEntries(contentFields.flatMap((field) => (span[field] === undefined ? [] : [[field, span[field]]])));

export function sharedSpan(io: SpanIo | null, raw: RawSpanReply | null, { contents, attributes }: Shown): SharedSpan {
  const { input, output, output_object, tool_calls } = (contents && io) || hiddenIo;
  const sent = [raw?.span.attributes].flat().flatMap(asAttribute);
  return { input, output, output_object, tool_calls, attributes: attributes ? sent : sent.filter(isStandard) };
}

const hiddenIo = { input: null, output: null, output_object: null, tool_calls: null };

type Attribute = SharedSpan['attributes'][number];

function asAttribute(sent: unknown): Attribute[] {
  if (typeof sent !== 'object' || sent === null || !('key' in sent) || !('value' in sent)) return [];
  const { key, value } = sent;
  return typeof key === 'string' && typeof value === 'object' && value !== null ? [{ key, value: { ...value } }] : [];
}

function isStandard({ key, value }: Attribute): boolean {
  const fields = Object.entries(value);
  const [kind, content] = fields[0] ?? [];
  if (!standardAttributes.has(key) || fields.length !== 1) return false;
  if (kind === 'stringValue') return shortName.test(String(content));
  if (kind === 'intValue' || kind === 'doubleValue') return Number.isFinite(Number(content));
  return kind === 'boolValue' && typeof content === 'boolean';
}
