import { CloudAlert, CloudCheck, CloudOff, CloudUpload } from 'lucide-react';
import type { TraceForwarding } from '../../../shared/contract/operations/trace-forwarding.ts';
import { forwardingText, worstState } from '../../model/trace/trace-forwarding.ts';
import { Icon } from './icon.tsx';

const styles = {
  local: { icon: CloudOff, tone: 'text-fg-3' },
  queued: { icon: CloudUpload, tone: 'text-accent' },
  sent: { icon: CloudCheck, tone: 'text-ok' },
  refused: { icon: CloudAlert, tone: 'text-warm' },
  dead_letter: { icon: CloudAlert, tone: 'text-err' },
} as const;

/** Forwarding state of a trace as an icon with a text. Renders nothing when it is unknown or nothing is forwarded. */
export function ForwardMark({ forwarding }: { forwarding: TraceForwarding | null | undefined }) {
  const state = forwarding && worstState(forwarding);
  if (!state) return null;
  const { icon, tone } = styles[state];
  const text = forwardingText(forwarding);
  return (
    <span role="img" aria-label={text} title={text} data-forwarding={state} className={`relative z-10 grid w-fit ${tone}`}>
      <Icon of={icon} />
    </span>
  );
}
