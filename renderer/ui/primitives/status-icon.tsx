import { Check, CircleAlert, Minus } from 'lucide-react';
import type { SpanStatus } from '../../../shared/contract/tracing/spans.ts';
import { Icon } from './icon.tsx';

const styles = {
  ERROR: { icon: CircleAlert, label: 'failed', tone: 'text-err' },
  OK: { icon: Check, label: 'succeeded', tone: 'text-ok' },
  UNSET: { icon: Minus, label: 'no status was reported', tone: 'text-fg-3' },
} as const;

export function StatusIcon({ status }: { status: SpanStatus }) {
  const { icon, label, tone } = styles[status];
  return (
    <span role="img" aria-label={label} title={label} className={tone}>
      <Icon of={icon} />
    </span>
  );
}
