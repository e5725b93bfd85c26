import clsx from 'clsx';
import type { ReactNode } from 'react';
import { count } from '../../model/text/format.ts';

interface FacetValueProps {
  label: string;
  title: string;
  /** Number of traces with this value; null if it was not counted. */
  traces: number | null;
  isOn: boolean;
  isErr?: boolean;
  /** Shows the number only. */
  isDisabled?: boolean;
  icon?: ReactNode;
  onClick: () => void;
}

/** Value of a facet with its count. A click adds it to the filter, or removes it. */
export const FacetValue = ({ label, title, traces, isOn, isErr = false, isDisabled = false, icon, onClick }: FacetValueProps) => (
  <button
    type="button"
    aria-pressed={isOn}
    disabled={isDisabled}
    title={title}
    onClick={onClick}
    className={clsx(
      'flex h-6 w-full items-center gap-1.5 px-pad text-row enabled:hover:bg-hover',
      isOn ? 'bg-select text-fg shadow-[inset_var(--spacing-edge)_0_var(--color-accent)]' : 'text-fg-2',
    )}
  >
    {icon}
    <span className={clsx('min-w-0 flex-1 truncate text-left', isErr && 'text-err')}>{label}</span>
    <span className="num text-fg-3 text-label">{traces !== null && count(traces)}</span>
  </button>
);
