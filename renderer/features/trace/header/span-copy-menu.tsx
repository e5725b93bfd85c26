import type { SpanNode } from '../../../model/trace/span-node.ts';
import { type CopyEntry, CopyMenu } from '../../../ui/overlays/copy-menu.tsx';
import { asCommand, asJson, asOtlp, asSummary } from './copies.ts';

function entries(node: SpanNode): CopyEntry[] {
  const { span } = node;
  const model = { label: 'curl', about: 'repeats the model call, with $KEY for the API key', text: () => asCommand(span) };
  return [
    { label: 'AI prompt', about: 'summary of what happened, for an agent or a chat', text: () => asSummary(node) },
    { label: 'JSON', about: 'the span as the API returns it', text: () => asJson(span) },
    { label: 'OTLP', about: 'as received, to send again', text: () => asOtlp(span.trace_id, span.id) },
    ...(span.span_kind === 'llm' ? [model] : []),
    { label: 'Span ID', about: span.id, text: () => span.id },
    { label: 'Link', about: 'to this span on this gateway', text: () => window.location.href },
  ];
}

/** Copy menu of a span. */
export const SpanCopyMenu = ({ node }: { node: SpanNode }) => <CopyMenu scope="Span" entries={entries(node)} />;
