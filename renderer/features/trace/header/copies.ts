/** Contents of the copy menu. Values are fetched in full when they are copied, even if the page shows only a preview. */
import type { RawSpanReply } from '../../../../shared/contract/tracing/raw-span.ts';
import type { SpanInTrace } from '../../../../shared/contract/tracing/spans.ts';
import { gateway } from '../../../api/client.ts';
import { asCurl } from '../../../model/setup/curl.ts';
import { aiSummary } from '../../../model/trace/ai-summary.ts';
import { parseNestedJson, readMessages } from '../../../model/trace/messages.ts';
import { spanEvents } from '../../../model/trace/span-events.ts';
import type { SpanNode } from '../../../model/trace/span-node.ts';

type Ids = Pick<SpanInTrace, 'trace_id' | 'id'>;
const params = ({ trace_id, id }: Ids) => ({ params: { traceId: trace_id, spanId: id } });

async function wholeSpan(ids: Ids): Promise<SpanInTrace> {
  const [{ data: previews }, { data: io }] = await Promise.all([
    gateway.traceViewer.previews({ params: { traceId: ids.trace_id }, query: { ids: ids.id } }),
    gateway.spans.io(params(ids)),
  ]);
  const [span] = previews;
  if (!span) throw new Error('The span no longer exists');
  const { truncated_fields: _, ...rest } = span;
  return { ...rest, ...io, output_object: io.output_object ?? '', tool_calls: io.tool_calls ?? '' };
}

const rawOf = async (ids: Ids): Promise<RawSpanReply> => (await gateway.viewer.rawSpan(params(ids))).data;

/** The span as the API returns it, with its JSON texts parsed. */
export async function asJson(ids: Ids): Promise<string> {
  const span = await wholeSpan(ids);
  const read = (text: string | null | undefined) => parseNestedJson(text ?? '');
  const { input, output, output_object, tool_calls, props, settings } = span;
  return JSON.stringify(
    {
      ...span,
      input: read(input),
      output: read(output),
      output_object: read(output_object),
      tool_calls: read(tool_calls),
      props: read(props),
      settings: read(settings),
    },
    null,
    2,
  );
}

/** OTLP export request with the span, accepted by any OTLP endpoint. */
export async function asOtlp(trace_id: string, id: string): Promise<string> {
  const { resource, scope, span } = await rawOf({ trace_id, id });
  const { schemaUrl, ...inner } = resource;
  return JSON.stringify(
    { resourceSpans: [{ resource: inner, ...(schemaUrl ? { schemaUrl } : {}), scopeSpans: [{ scope, spans: [span] }] }] },
    null,
    2,
  );
}

export async function asCommand(ids: Ids): Promise<string> {
  const [span, raw] = await Promise.all([wholeSpan(ids), rawOf(ids)]);
  const settings = parseNestedJson(span.settings);
  const tools = parseNestedJson(raw.tool_definitions);
  return asCurl({
    provider: String(raw.values.provider ?? ''),
    model: String(raw.values.request_model ?? span.model ?? ''),
    messages: readMessages(span.input ?? '') ?? [{ role: 'user', name: '', parts: [{ type: 'text', text: span.input ?? '' }] }],
    settings: typeof settings === 'object' && settings !== null ? (settings as Record<string, unknown>) : {},
    tools: Array.isArray(tools) ? tools : [],
  });
}

export async function asSummary(node: SpanNode): Promise<string> {
  const [span, raw] = await Promise.all([wholeSpan(node.span), rawOf(node.span)]);
  const path: string[] = [];
  for (let current: SpanNode | null = node; current; current = current.parent) path.unshift(current.span.name || 'unnamed');
  const exceptions = spanEvents(raw.span).flatMap((event) => event.exception ?? []);
  const errors = [...node.tree.causes].filter((at) => at !== node.order).map((at) => `${node.tree.kindAt(at)} ${node.tree.nameAt(at)}`);
  return aiSummary({ span, path, exceptions, errors });
}
