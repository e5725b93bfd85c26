import clsx from 'clsx';
import type { ReactNode } from 'react';

const tones = {
  plain: 'bg-raised text-fg-2',
  err: 'bg-err-bg text-err',
  ok: 'bg-raised text-ok',
  warm: 'bg-raised text-warm',
  accent: 'bg-select text-accent',
};

interface PillProps {
  tone?: keyof typeof tones;
  title?: string | undefined;
  children: ReactNode;
  onClick?: (() => void) | undefined;
}

export function Pill({ tone = 'plain', title, children, onClick }: PillProps) {
  const style = clsx(
    'inline-flex h-pill max-w-full shrink-0 items-center gap-1 whitespace-nowrap rounded-pill px-2 text-label tabular-nums',
    tones[tone],
  );
  // User-given names may be very long.
  const content = typeof children === 'string' ? <span className="truncate">{children}</span> : children;
  if (!onClick)
    return (
      <span title={title} className={style}>
        {content}
      </span>
    );
  return (
    <button type="button" title={title} onClick={onClick} className={clsx(style, 'hover:text-fg')}>
      {content}
    </button>
  );
}

/** A decorative dot before a label. */
export const Dot = () => <span aria-hidden="true" className="size-1.5 shrink-0 rounded-full bg-current" />;
