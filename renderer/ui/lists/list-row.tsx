// biome-ignore-all lint/a11y/useSemanticElements: rows are placed one by one in a grid; table elements laid out like that lose their meaning
// biome-ignore-all lint/a11y/useFocusableInteractive: a row is reached by its link and by the keys of the list
import clsx from 'clsx';
import type { ReactNode } from 'react';

interface ListRowProps {
  /** From 0, in the whole list. */
  index: number;
  /** Its upper edge, pixels below the first row's. */
  start: number;
  /** Chosen by keys, or looked at beside the list. */
  isOn: boolean;
  children: ReactNode;
}

/** The frame of a row in a list of which only the part in sight is drawn. Its list sets the tracks (`--columns`). */
export const ListRow = ({ index, start, isOn, children }: ListRowProps) => (
  <div
    role="row"
    aria-rowindex={index + 1}
    data-on={isOn}
    className={clsx(
      'group/row absolute inset-x-0 top-0 grid h-row grid-cols-(--columns) items-center gap-x-3 px-pad hover:bg-hover',
      'data-[on=true]:bg-select data-[on=true]:shadow-[inset_var(--spacing-edge)_0_var(--color-accent)]',
    )}
    style={{ transform: `translateY(${start}px)` }}
  >
    {children}
  </div>
);
