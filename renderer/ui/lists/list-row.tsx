// biome-ignore-all lint/a11y/useSemanticElements: rows are positioned in a grid; table elements with such a layout lose their role
// biome-ignore-all lint/a11y/useFocusableInteractive: a row is reached by its link and by the keys of the list
import clsx from 'clsx';
import type { ReactNode } from 'react';

interface ListRowProps {
  /** From 0, in the whole list. */
  index: number;
  /** Offset of its top edge from that of the first row, in pixels. */
  start: number;
  /** Selected by keyboard, or shown in the side panel. */
  isOn: boolean;
  /** Two lines instead of one. */
  isTall?: boolean;
  children: ReactNode;
}

/** The frame of a row in a virtual list. The list sets the grid tracks (`--columns`). */
export const ListRow = ({ index, start, isOn, isTall = false, children }: ListRowProps) => (
  <div
    role="row"
    aria-rowindex={index + 1}
    data-on={isOn}
    className={clsx(
      'group/row absolute inset-x-0 top-0 grid grid-cols-(--columns) items-center gap-x-3 px-pad hover:bg-hover',
      isTall ? 'h-tall-row content-center gap-y-0.5 border-line border-b' : 'h-row',
      'data-[on=true]:bg-select data-[on=true]:shadow-[inset_var(--spacing-edge)_0_var(--color-accent)]',
    )}
    style={{ transform: `translateY(${start}px)` }}
  >
    {children}
  </div>
);

interface SecondLineProps {
  columns: readonly { isLead?: boolean }[];
  /** Cells before the first column. */
  before?: number;
  children: ReactNode;
}

/** The second line of a row, from the leading column to the end. */
export function SecondLine({ columns, before = 0, children }: SecondLineProps) {
  const lead = Math.max(
    0,
    columns.findIndex(({ isLead }) => isLead),
  );
  return (
    // Grid lines count from 1.
    <div role="cell" aria-colspan={columns.length - lead} className="min-w-0" style={{ gridColumn: `${lead + before + 1} / -1` }}>
      {children}
    </div>
  );
}
