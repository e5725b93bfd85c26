import { useMemo } from 'react';
import { formatValue } from '../../../model/trace/otlp-value.ts';
import { type Call, settingChanges } from '../../../model/trace/setting-changes.ts';
import { Text } from '../../../ui/primitives/text.tsx';

const asText = (value: unknown) => (value === undefined ? 'not set' : formatValue(value).slice(0, 200));

/** Model and settings that differ from those of the previous call. */
export function SettingChanges({ now, then }: { now: Call; then: Call }) {
  const changes = useMemo(() => settingChanges(then, now), [now, then]);
  if (changes.length === 0) return null;
  return (
    <dl className="grid gap-0.5">
      {changes.map(({ name, before, after }) => (
        <div key={name} className="flex gap-2">
          <Text as="dt" tone="dim">
            {name}
          </Text>
          <Text as="dd" mono className="wrap-anywhere">
            {`${asText(before)} → ${asText(after)}`}
          </Text>
        </div>
      ))}
    </dl>
  );
}
