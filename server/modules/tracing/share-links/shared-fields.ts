/** What readers of a shared trace get. Each answer names every field that goes out, so that a new one stays inside until it is added here. */

import { outlineFlag } from '../../../../shared/contract/tracing/outline-flags.ts';
import type { RawSpanReply } from '../../../../shared/contract/tracing/raw-span.ts';
import type { SharedSpan, ShareLinkHides } from '../../../../shared/contract/tracing/shared-trace.ts';
import type { SpanIo } from '../../../../shared/contract/tracing/spans.ts';
import type { SpanPreview, TraceOutline } from '../../../../shared/contract/tracing/trace-outline.ts';
import { sharedAttributes, sharedFields, sharedMetadata, sharedText } from './shared-texts.ts';

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
  const { id, status, start, end, latency_ms, tokens, origin, names, models, services, spans } = trace;
  return {
    ...{ id, status, start, end, latency_ms, tokens, origin, names, models, services },
    // An attribute may name the trace.
    name: attributes ? trace.name : rootName(trace),
    cost: costs ? trace.cost : 0,
    // Ids of sessions and users lead to other traces and to people; scores are opinions of people.
    ...{ session_id: null, user_id: null, scores: [] },
    ...(attributes ? { metadata: sharedMetadata(trace.metadata), tags: trace.tags } : { metadata: {}, tags: [] }),
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

function rootName({ names, spans }: TraceOutline): string {
  const name = spans.name[spans.parent.indexOf(-1)];
  return name === undefined ? '' : (names[name] ?? '');
}

export function sharedPreview(span: SpanPreview, { contents, attributes, costs }: Shown): SpanPreview {
  const { id, trace_id, parent_id, name, status, duration_ms, timestamp, type, model, span_kind, service_name } = span;
  const { input_tokens, output_tokens, reasoning_tokens, tokens } = span;
  return {
    ...{ id, trace_id, parent_id, name, status, duration_ms, timestamp, type, model, span_kind },
    ...{ input_tokens, output_tokens, tokens, event_us: [], event_count: 0 },
    ...(service_name !== undefined && { service_name }),
    ...(reasoning_tokens !== undefined && { reasoning_tokens }),
    ...(costs ? { cost: span.cost, cost_source: span.cost_source } : { cost: 0, cost_source: 'none' }),
    ...(contents && contentsOf(span)),
    ...(attributes
      ? {
          ...{ metadata: sharedMetadata(span.metadata), props: sharedFields(span.props), settings: sharedFields(span.settings) },
          ...{ prompt_name: span.prompt_name, finish_reason: span.finish_reason },
        }
      : { metadata: {}, prompt_name: null, props: null, settings: null, finish_reason: null }),
  };
}

const contentFields = ['status_message', 'input', 'output', 'output_object', 'tool_calls'] as const;

function contentsOf(span: SpanPreview) {
  const texts = contentFields.flatMap((field) => (span[field] === undefined ? [] : [[field, sharedText(span[field])]]));
  const { truncated_fields, damaged } = span;
  return { ...Object.fromEntries(texts), ...(truncated_fields && { truncated_fields }), ...(damaged && { damaged }) };
}

/** What was read of a span. Null is too large to be shared. */
export interface ReadSpan {
  /** Undefined when contents are hidden. */
  io: SpanIo | null | undefined;
  raw: RawSpanReply | null;
}

export function sharedSpan({ io, raw }: ReadSpan, { attributes }: Shown): SharedSpan {
  const { input, output, output_object, tool_calls } = io ?? noIo;
  const sent = raw?.span['attributes'];
  return {
    ...{
      input: sharedText(input),
      output: sharedText(output),
      output_object: sharedText(output_object),
      tool_calls: sharedText(tool_calls),
    },
    attributes: attributes ? sharedAttributes(sent) : sharedAttributes(sent).filter(isStandard),
    ...{ contents_too_large: io === null, attributes_too_large: raw === null },
  };
}

const noIo = { input: null, output: null, output_object: null, tool_calls: null };

type Attribute = SharedSpan['attributes'][number];

function isStandard({ key, value }: Attribute): boolean {
  const fields = Object.entries(value);
  const [kind, content] = fields[0] ?? [];
  if (!standardAttributes.has(key) || fields.length !== 1) return false;
  if (kind === 'stringValue') return shortName.test(String(content));
  if (kind === 'intValue' || kind === 'doubleValue') return Number.isFinite(Number(content));
  return kind === 'boolValue' && typeof content === 'boolean';
}
