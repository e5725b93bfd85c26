import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { count } from '../../model/text/format.ts';
import { IconButton } from '../primitives/button.tsx';
import { Icon } from '../primitives/icon.tsx';

interface PagerProps {
  /** Counted from 1. */
  page: number;
  pageSize: number;
  /** Null while it is not known. */
  total: number | null;
  /** The counted items: `traces`. */
  noun: string;
  onPage: (page: number) => void;
  children?: ReactNode;
}

/** Shows which part of the list is on screen, so that no row is hidden silently. */
export function Pager({ page, pageSize, total, noun, onPage, children }: PagerProps) {
  const isKnown = total !== null;
  const totalCount = total ?? 0;
  const first = totalCount === 0 ? 0 : (page - 1) * pageSize + 1;
  const last = Math.min(totalCount, page * pageSize);
  return (
    <footer className="flex h-header shrink-0 items-center gap-3 border-line border-t px-pad text-fg-2 text-row">
      <span className="flex min-w-0 flex-1 items-center gap-3 overflow-hidden whitespace-nowrap">{children}</span>
      <span className="whitespace-nowrap tabular-nums" aria-live="polite">
        {isKnown &&
          (first > last
            ? `no ${noun} on this page, ${count(totalCount)} in all`
            : `${count(first)}–${count(last)} of ${count(totalCount)} ${noun}`)}
      </span>
      <span className="flex">
        <IconButton label="Previous page" disabled={page <= 1} onClick={() => onPage(page - 1)}>
          <Icon of={ChevronLeft} />
        </IconButton>
        <IconButton label="Next page" disabled={last >= totalCount} onClick={() => onPage(page + 1)}>
          <Icon of={ChevronRight} />
        </IconButton>
      </span>
    </footer>
  );
}
