import clsx from 'clsx';
import { count as formatCount } from '../../model/text/format.ts';
import { KeyCap } from './key-cap.tsx';

const tones = { plain: 'bg-raised text-fg-2', err: 'bg-err-bg text-err', warm: 'bg-raised text-warm' };

interface StepPillProps {
  tone: keyof typeof tones;
  label: string;
  /** Index of the current one, -1 for none. */
  place: number;
  count: number;
  hint: string;
  title: string;
  onStep: (by: 1 | -1) => void;
}

/** Counts items, with buttons that step through them. */
export function StepPill({ tone, label, place, count, hint, title, onStep }: StepPillProps) {
  const step = 'grid size-6 place-items-center rounded-pill enabled:hover:bg-hover disabled:opacity-50';
  return (
    <span className={clsx('inline-flex h-pill shrink-0 items-center whitespace-nowrap rounded-pill text-label tabular-nums', tones[tone])}>
      <button
        type="button"
        title={title}
        disabled={count === 0}
        onClick={() => onStep(1)}
        className="flex h-pill items-center gap-1 rounded-pill pl-2 enabled:hover:bg-hover"
      >
        <span className="@max-roomy:sr-only">{label}</span>
        {place >= 0 ? `${formatCount(place + 1)}/${formatCount(count)}` : formatCount(count)} <KeyCap>{hint}</KeyCap>
      </button>
      <button
        type="button"
        aria-label={`Previous of ${label}`}
        title="Previous"
        disabled={count === 0}
        onClick={() => onStep(-1)}
        className={step}
      >
        ↑
      </button>
      <button type="button" aria-label={`Next of ${label}`} title="Next" disabled={count === 0} onClick={() => onStep(1)} className={step}>
        ↓
      </button>
    </span>
  );
}
