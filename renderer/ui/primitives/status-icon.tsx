import { Check, CircleAlert, Minus } from 'lucide-react';
import type { SpanStatus } from '../../../shared/contract/tracing/spans.ts';
import type { ListedTrace } from '../../../shared/contract/tracing/trace-list.ts';
import { progressOf } from '../../model/trace/running.ts';
import { Icon } from './icon.tsx';
import { RunningIcon } from './running.tsx';

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
export const Outcome = ({ trace }: { trace: Pick<ListedTrace, 'running' | 'status' | 'start' | 'end'> }) =>
  trace.running > 0 ? <RunningIcon progress={progressOf(trace)} /> : <StatusIcon status={trace.status} />;
