// biome-ignore-all lint/a11y/useSemanticElements: rows are positioned in a grid; table elements with such a layout lose their role
// biome-ignore-all lint/a11y/useFocusableInteractive: a row is reached by its link and by the keys of the list
/** A list of any length whose rows are loaded page by page; a row that is not loaded yet has a placeholder. Rows can be marked. */
import clsx from 'clsx';
import { type CSSProperties, type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { useKeys } from '../primitives/keys.tsx';
import { splitPx } from '../primitives/narrow.ts';
import { SkeletonLine } from '../primitives/skeleton.tsx';
import type { Column, Sort } from './data-list.tsx';
import { ListRow, SecondLine } from './list-row.tsx';
import { SparseHead } from './sparse-head.tsx';
import { useVirtualRows } from './virtual-rows.ts';

interface SparseListProps<T> {
  label: string;
  /** Toolbar above the rows. It is part of the list: a pointer on its buttons has not left the list. */
  bar: ReactNode;
  columns: readonly Column<T>[];
  /** The second line of a row, from the leading column to the end. */
  secondLine: (row: T) => ReactNode;
  total: number;
  rowAt: (index: number) => T | undefined;
  sort: Sort;
  onSort: (by: string) => void;
  onOpen: (row: T) => void;
  onWidth: (id: string, width: number | null) => void;
  isMarked: (row: T) => boolean;
  /** `isRange` (the Shift key): also marks the rows between this one and the one marked before. */
  onMark: (row: T, isRange: boolean) => void;
  /** Id of the row in the side panel. */
  selected: string | null;
  /** Called with whether the list is in use (pointer, scroll or cursor): then its rows must not move. */
  onAttention: (isAttended: boolean) => void;
  /** Called with the range of visible rows. */
  onSight: (sight: { first: number; last: number }) => void;
  /** Changes when the rows are a different list, not a newer version: the list then scrolls to the top. */
  listKey: string;
  /** Whether the rows are still those of the previous list, until the new ones are loaded. Such rows can be read, but not used. */
  isOther: boolean;
  /** Shown while the list has no rows. */
  children?: ReactNode;
}

export function SparseList<T extends { id: string }>(props: SparseListProps<T>) {
  const { total, rowAt, selected, listKey, onSight, onAttention } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const columns = useVisibleColumns(props.columns, scroller);
  const virtual = useVirtualRows(total, scroller, '--spacing-tall-row');
  const [cursor, setCursor] = useCursor(props, scroller, (index) => virtual.scrollToIndex(index, { align: 'auto' }));
  const [attention, setAttention] = useState({ pointer: false, scrolled: false });
  const isAttended = attention.pointer || attention.scrolled || cursor !== null;
  useEffect(() => void onAttention(isAttended), [isAttended, onAttention]);
  const items = virtual.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => void onSight({ first, last }), [first, last, onSight]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another list starts at the top
  useEffect(() => {
    scroller.current?.scrollTo({ top: 0 });
    setCursor(null);
  }, [listKey]);

  return (
    <div
      className="flex min-h-0 min-w-0 flex-1 flex-col"
      onPointerEnter={() => {
        // Not only after the next render: a response that arrives before it must not move the rows either.
        onAttention(true);
        setAttention((before) => ({ ...before, pointer: true }));
      }}
      onPointerLeave={() => setAttention((before) => ({ ...before, pointer: false }))}
    >
      {props.bar}
      <div
        role="table"
        aria-label={props.label}
        aria-rowcount={total}
        aria-busy={props.isOther}
        className={clsx('flex min-h-0 min-w-0 flex-col', total > 0 && 'flex-1')}
        style={{ '--columns': `var(--spacing-kind) ${columns.map(({ width }) => width).join(' ')}` } as CSSProperties}
      >
        <SparseHead columns={columns} sort={props.sort} onSort={props.onSort} onWidth={props.onWidth} />
        <div
          ref={scroller}
          role="rowgroup"
          tabIndex={-1}
          className="min-h-0 flex-1 overflow-y-auto overflow-x-hidden outline-none [scrollbar-gutter:stable]"
          onScroll={(event) => {
            const scrolled = event.currentTarget.scrollTop > 0;
            setAttention((before) => (before.scrolled === scrolled ? before : { ...before, scrolled }));
          }}
        >
          <div inert={props.isOther} className={clsx('relative', props.isOther && 'opacity-50')} style={{ height: virtual.getTotalSize() }}>
            {items.map(({ index, start }) => {
              const row = rowAt(index);
              const isOn = index === cursor || (row !== undefined && row.id === selected);
              const { isMarked, onMark, secondLine } = props;
              return <SparseRow key={index} {...{ row, columns, index, start, isOn, isMarked, onMark, secondLine }} />;
            })}
          </div>
        </div>
      </div>
      {/* Outside the table, because a placeholder is not a row. */}
      {total === 0 && <div className="min-h-0 flex-1 overflow-y-auto">{props.children}</div>}
    </div>
  );
}

interface RowProps<T> extends Pick<SparseListProps<T>, 'columns' | 'isMarked' | 'onMark' | 'secondLine'> {
  row: T | undefined;
  index: number;
  start: number;
  isOn: boolean;
}

function SparseRow<T extends { id: string }>({ row, columns, index, start, isOn, isMarked, onMark, secondLine }: RowProps<T>) {
  const isChecked = row !== undefined && isMarked(row);
  return (
    <ListRow index={index} start={start} isOn={isOn} isTall>
      <div role="cell" className="relative z-10 flex">
        {row && (
          <input
            type="checkbox"
            tabIndex={-1}
            aria-label="Select"
            checked={isChecked}
            onChange={(event) => onMark(row, (event.nativeEvent as MouseEvent).shiftKey)}
            className="size-3.5 accent-accent not-checked:opacity-0 focus-visible:opacity-100 group-hover/row:opacity-100 group-data-[on=true]/row:opacity-100 pointer-coarse:opacity-100"
          />
        )}
      </div>
      {columns.map((column) => (
        <div key={column.id} role="cell" className={clsx('min-w-0', column.end && 'text-right')}>
          {row ? column.cell(row) : <SkeletonLine wide={index % 3 === 0} />}
        </div>
      ))}
      {/* After the cell of the checkbox. */}
      <SecondLine columns={columns} before={1}>
        {row ? secondLine(row) : <SkeletonLine wide={index % 3 !== 0} />}
      </SecondLine>
    </ListRow>
  );
}

/** The row selected by keyboard, by its index: rows keep their index while the list is in use. */
function useCursor<T extends { id: string }>(
  { total, rowAt, isOther, onOpen, onMark }: Pick<SparseListProps<T>, 'total' | 'rowAt' | 'isOther' | 'onOpen' | 'onMark'>,
  list: RefObject<HTMLElement | null>,
  reveal: (index: number) => void,
) {
  const [cursor, setCursor] = useState<number | null>(null);
  const go = (to: number) => {
    const next = Math.min(total - 1, Math.max(0, to));
    if (total === 0) return;
    setCursor(next);
    reveal(next);
    // Moves the focus from the pressed button to the list, so that Enter applies to the row.
    list.current?.focus({ preventScroll: true });
  };
  const row = cursor === null || isOther ? undefined : rowAt(cursor);
  useKeys('List', [
    { on: ['j', 'ArrowDown'], label: 'Next row', run: () => go(cursor === null ? 0 : cursor + 1) },
    { on: ['k', 'ArrowUp'], label: 'Previous row', run: () => go(cursor === null ? 0 : cursor - 1) },
    { on: ['Home'], label: 'First row', run: () => go(0) },
    { on: ['End'], label: 'Last row', run: () => go(total - 1) },
    { on: ['Enter'], label: 'Open the row', run: () => row && onOpen(row) },
    { on: ['x'], label: 'Select the row', run: () => row && onMark(row, false) },
    { on: ['Escape'], label: 'Leave the row', run: () => setCursor(null) },
  ]);
  return [cursor, setCursor] as const;
}

/** In a narrow list, beside facets or in a small window, only the most important columns. */
function useVisibleColumns<T>(columns: readonly Column<T>[], list: RefObject<HTMLElement | null>): readonly Column<T>[] {
  const [isTight, setTight] = useState(false);
  useEffect(() => {
    const element = list.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setTight(element.clientWidth < splitPx));
    observer.observe(element);
    return () => observer.disconnect();
  }, [list]);
  return useMemo(() => (isTight ? columns.filter(({ wideOnly }) => !wideOnly) : columns), [columns, isTight]);
}
