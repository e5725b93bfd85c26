import type { SpanInTrace } from '../../../../shared/contract/tracing/spans.ts';
import { parseNestedJson } from '../../../model/trace/messages.ts';
import { formatValue } from '../../../model/trace/otlp-value.ts';
import { Text } from '../../../ui/primitives/text.tsx';

const record = (text: string | null): Record<string, unknown> => {
  const value = parseNestedJson(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
};

/** Model and settings that differ from those of the previous call. */
export function SettingChanges({ now, then }: { now: SpanInTrace; then: SpanInTrace }) {
  const [after, before] = [
    { model: now.model, ...record(now.settings) },
    { model: then.model, ...record(then.settings) },
  ] as [Record<string, unknown>, Record<string, unknown>];
  const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]),
  );
  if (changed.length === 0) return null;
  const asText = (value: unknown) => (value === undefined ? 'not set' : formatValue(value).slice(0, 200));
  return (
    <dl className="grid gap-0.5">
      {changed.map((key) => (
        <div key={key} className="flex gap-2">
          <Text as="dt" tone="dim">
            {key}
          </Text>
          <Text as="dd" mono className="wrap-anywhere">
            {`${asText(before[key])} → ${asText(after[key])}`}
          </Text>
        </div>
      ))}
    </dl>
  );
}
