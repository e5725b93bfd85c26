import { Check, CircleAlert, Minus } from 'lucide-react';
import type { SpanStatus } from '../../../shared/contract/tracing/spans.ts';
import { Icon } from './icon.tsx';

const looks = {
  ERROR: { icon: CircleAlert, word: 'failed', tone: 'text-err' },
  OK: { icon: Check, word: 'succeeded', tone: 'text-ok' },
  UNSET: { icon: Minus, word: 'no status was reported', tone: 'text-fg-3' },
} as const;

export function StatusIcon({ status }: { status: SpanStatus }) {
  const { icon, word, tone } = looks[status];
  return (
    <span role="img" aria-label={word} title={word} className={tone}>
      <Icon of={icon} />
    </span>
  );
}
