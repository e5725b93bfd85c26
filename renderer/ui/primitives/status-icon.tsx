import { Check, CircleAlert, CircleDot, Minus } from 'lucide-react';
import type { SpanStatus } from '../../../shared/contract/tracing/spans.ts';
import { Icon } from './icon.tsx';

const styles = {
  ERROR: { icon: CircleAlert, label: 'Failed', tone: 'text-err' },
  OK: { icon: Check, label: 'Succeeded', tone: 'text-ok' },
  UNSET: { icon: Minus, label: 'The sender reported no status', tone: 'text-fg-3' },
} as const;

export function StatusIcon({ status }: { status: SpanStatus }) {
  const { icon, label, tone } = styles[status];
  return (
    <span role="img" aria-label={label} title={label} className={tone}>
      <Icon of={icon} />
    </span>
  );
}

/** Status of a trace, which is not final while spans of it run. */
export function Outcome({ trace: { running, status } }: { trace: { running: number; status: SpanStatus } }) {
  if (running === 0) return <StatusIcon status={status} />;
  return (
    <span role="img" aria-label="Running" title="Some of its spans have not ended" className="grid size-4 place-content-center text-ok">
      <Icon of={CircleDot} size="small" />
    </span>
  );
}
