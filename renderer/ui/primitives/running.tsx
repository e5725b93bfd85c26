import clsx from 'clsx';
import { CircleDashed, CircleDot } from 'lucide-react';
import { plural } from '../../model/text/format.ts';
import { isSilent, lastSpanText, type Progress, runningText, waitingText } from '../../model/trace/running.ts';
import { Icon } from './icon.tsx';
import { useNow } from './now.ts';
import { Dot, Pill } from './pill.tsx';
import { Text } from './text.tsx';

/** Mark of a trace that has not ended. */
export function RunningIcon({ progress }: { progress: Progress }) {
  const silent = isSilent(progress, useNow());
  return (
    <span
      role="img"
      aria-label={silent ? 'Never ended' : 'Running'}
      className={`grid size-4 place-content-center ${silent ? 'text-fg-3' : 'text-ok'}`}
    >
      <Icon of={silent ? CircleDashed : CircleDot} size="small" />
    </span>
  );
}

/** How long a trace has been running. */
export function RunningTime({ progress }: { progress: Progress }) {
  const now = useNow();
  return (
    <Text size="label" tone={isSilent(progress, now) ? 'dim' : 'ok'} cut className="tabular-nums" title={lastSpanText(progress, now)}>
      {runningText(progress, now)}
    </Text>
  );
}

/** The same as a pill, for heads. */
export function RunningPill({ progress, about }: { progress: Progress; about?: string }) {
  const now = useNow();
  const title = [about, lastSpanText(progress, now)].filter(Boolean).join('. ');
  return (
    <Pill tone={isSilent(progress, now) ? 'plain' : 'ok'} title={title}>
      {!isSilent(progress, now) && <Dot />}
      {runningText(progress, now)}
    </Pill>
  );
}

interface WaitingTextProps {
  /** The running span that started last. */
  waitingFor: { name: string; since: string };
  progress: Progress;
  errors: number;
  /** On one line of a flex row, of which it takes at most half. */
  isCut?: boolean;
}

/** What a running trace waits for, since when, and how many errors it has so far. */
export function WaitingText({ waitingFor, progress, errors, isCut = false }: WaitingTextProps) {
  const now = useNow();
  const text = waitingText(waitingFor, progress, now) + (errors > 0 ? ` · ${plural(errors, 'error')} so far` : '');
  const tone = isSilent(progress, now) ? 'dim' : 'ok';
  // Flex items shrink in proportion to their width: a long text beside this one would leave nothing of it.
  return (
    <Text
      size="label"
      tone={tone}
      cut={isCut}
      title={isCut ? text : undefined}
      className={clsx('tabular-nums', isCut && 'max-w-1/2 shrink-0')}
    >
      {text}
    </Text>
  );
}
