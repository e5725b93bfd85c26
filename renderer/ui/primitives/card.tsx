import clsx from 'clsx';
import { type ReactNode, useState } from 'react';

const edges = { plain: 'border-line', tool: 'border-tool-line', err: 'border-err-line' };

interface CardProps {
  edge?: keyof typeof edges;
  /** Author and summary. */
  head: ReactNode;
  /** Buttons at the right end of the head. */
  actions?: ReactNode;
  /** Initial state of a card that can be collapsed to its head. */
  folds?: 'open' | 'shut';
  children?: ReactNode;
}

/** Card of one message or call. Never nested. */
export function Card({ edge = 'plain', head, actions, folds, children }: CardProps) {
  const [isCollapsed, setCollapsed] = useState(folds === 'shut');
  const isHeadOnly = isCollapsed || children === undefined || children === null;
  return (
    <article className={clsx('group min-w-0 rounded-card border bg-panel', edges[edge])}>
      <header className={clsx('flex min-h-row items-center gap-2 pl-2.5 text-fg-2 text-label', !isHeadOnly && 'border-line border-b')}>
        {folds ? (
          <button
            type="button"
            aria-expanded={!isCollapsed}
            onClick={() => setCollapsed(!isCollapsed)}
            className="flex min-h-row min-w-0 flex-1 items-center gap-2 text-left font-strong hover:text-fg"
          >
            {head}
            <span aria-hidden="true" className="shrink-0 text-fg-3">
              {isCollapsed ? '▸' : '▾'}
            </span>
          </button>
        ) : (
          <div className="flex min-w-0 flex-1 items-center gap-2 font-strong">{head}</div>
        )}
        {actions}
      </header>
      {!isHeadOnly && <div className={clsx('min-w-0 rounded-b-card px-2.5 py-2', edge === 'err' && 'bg-err-bg')}>{children}</div>}
    </article>
  );
}
