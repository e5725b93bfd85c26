import { CloudAlert, CloudCheck, CloudOff, CloudUpload } from 'lucide-react';
import type { TraceForwarding } from '../../../shared/contract/operations/trace-forwarding.ts';
import { forwardingInWords, worstOf } from '../../model/trace/trace-forwarding.ts';
import { Icon } from './icon.tsx';

const looks = {
  local: { icon: CloudOff, tone: 'text-fg-3' },
  queued: { icon: CloudUpload, tone: 'text-accent' },
  sent: { icon: CloudCheck, tone: 'text-ok' },
  refused: { icon: CloudAlert, tone: 'text-warm' },
  dead_letter: { icon: CloudAlert, tone: 'text-err' },
} as const;

/** Whether a trace has reached the cloud, with the words for it. Nothing where it is not known or nothing is forwarded. */
export function ForwardMark({ found }: { found: TraceForwarding | null | undefined }) {
  const is = found && worstOf(found);
  if (!is) return null;
  const { icon, tone } = looks[is];
  const words = forwardingInWords(found);
  return (
    <span role="img" aria-label={words} title={words} data-forwarding={is} className={`relative z-10 grid w-fit ${tone}`}>
      <Icon of={icon} />
    </span>
  );
}
