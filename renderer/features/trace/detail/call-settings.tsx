import type { RawSpanReply } from '../../../../shared/contract/tracing/raw-span.ts';
import type { SpanInTrace } from '../../../../shared/contract/tracing/spans.ts';
import { parseNestedJson } from '../../../model/trace/messages.ts';
import { formatValue } from '../../../model/trace/otlp-value.ts';
import { Text } from '../../../ui/primitives/text.tsx';

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Provider, requested model and short settings of a model call, in one line. */
export function CallSettings({ span, raw }: { span: SpanInTrace; raw: RawSpanReply | undefined }) {
  if (span.span_kind !== 'llm') return null;
  const settings = parseNestedJson(span.settings);
  const requestedModel = raw?.values.request_model;
  const facts: [string, string][] = [
    ['provider', String(raw?.values.provider ?? '')],
    ['requested model', requestedModel !== undefined && requestedModel !== span.model ? String(requestedModel) : ''],
    ...(isRecord(settings) ? Object.entries(settings).map(([key, value]): [string, string] => [key, formatValue(value)]) : []),
  ];
  const shown = facts.filter(([, value]) => value !== '' && value.length <= 60);
  if (shown.length === 0) return null;
  return (
    <dl className="flex flex-wrap gap-x-4 gap-y-0.5">
      {shown.map(([key, value]) => (
        <div key={key} className="flex gap-1.5">
          <Text as="dt" size="label" tone="dim">
            {key}
          </Text>
          <Text as="dd" size="label" mono>
            {value}
          </Text>
        </div>
      ))}
    </dl>
  );
}
