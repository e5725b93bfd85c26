// biome-ignore-all lint/a11y/useSemanticElements: rows are placed one by one in a grid; table elements laid out like that lose their meaning
// biome-ignore-all lint/a11y/useFocusableInteractive: a row is reached by its link and by the keys of the list
/** A list of any length whose rows come page by page: a row that is not there yet keeps its place. Rows can be marked. */
import clsx from 'clsx';
import { type CSSProperties, type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { useKeys } from '../primitives/keys.tsx';
import { splitPx } from '../primitives/narrow.ts';
import { Bone } from '../primitives/skeleton.tsx';
import type { Column, Sort } from './data-list.tsx';
import { ListRow } from './list-row.tsx';
import { SparseHead } from './sparse-head.tsx';
import { useVirtualRows } from './virtual-rows.ts';

interface SparseListProps<T> {
  label: string;
  /** Stands above the rows and belongs to them: whoever reaches for its buttons has not left the list. */
  bar: ReactNode;
  columns: readonly Column<T>[];
  total: number;
  rowAt: (index: number) => T | undefined;
  sort: Sort;
  onSort: (by: string) => void;
  onOpen: (row: T) => void;
  onWidth: (id: string, width: number | null) => void;
  isMarked: (row: T) => boolean;
  /** With the shift key: also the rows between this one and the one marked before. */
  onMark: (row: T, isRange: boolean) => void;
  /** The row that is looked at beside the list. */
  selected: string | null;
  /** Told whether the reader is on the list (pointer, scroll or cursor): then nothing in it may move. */
  onAttention: (isAttended: boolean) => void;
  /** Told which rows are in sight. */
  onSight: (sight: { first: number; last: number }) => void;
  /** Changes when the rows are a different list, not a newer one: the list then begins at the top. */
  listKey: string;
  /** Rows of the list before stand in until the new ones are there. */
  isOther: boolean;
  /** Stands in the list while it has no rows. */
  children?: ReactNode;
}

export function SparseList<T extends { id: string }>(props: SparseListProps<T>) {
  const { total, rowAt, selected, listKey, onSight, onAttention } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const columns = useFitting(props.columns, scroller);
  const virtual = useVirtualRows(total, scroller);
  const [cursor, setCursor] = useCursor(props, scroller, (index) => virtual.scrollToIndex(index, { align: 'auto' }));
  const [by, setBy] = useState({ pointer: false, scrolled: false });
  const isAttended = by.pointer || by.scrolled || cursor !== null;
  useEffect(() => void onAttention(isAttended), [isAttended, onAttention]);
  const items = virtual.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => void onSight({ first, last }), [first, last, onSight]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another list begins at its top
  useEffect(() => {
    scroller.current?.scrollTo({ top: 0 });
    setCursor(null);
  }, [listKey]);

  return (
    <div
      className="flex min-h-0 min-w-0 flex-1 flex-col"
      onPointerEnter={() => {
        // Not only once it is drawn: what is answered until then must find the list held.
        onAttention(true);
        setBy((before) => ({ ...before, pointer: true }));
      }}
      onPointerLeave={() => setBy((before) => ({ ...before, pointer: false }))}
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
            setBy((before) => (before.scrolled === scrolled ? before : { ...before, scrolled }));
          }}
        >
          <div className={clsx('relative', props.isOther && 'opacity-50')} style={{ height: virtual.getTotalSize() }}>
            {items.map(({ index, start }) => {
              const row = rowAt(index);
              const isOn = index === cursor || (row !== undefined && row.id === selected);
              return <SparseRow key={index} {...{ row, columns, index, start, isOn }} isMarked={props.isMarked} onMark={props.onMark} />;
            })}
          </div>
        </div>
      </div>
      {/* Beside the table: what stands for rows is none. */}
      {total === 0 && <div className="min-h-0 flex-1 overflow-y-auto">{props.children}</div>}
    </div>
  );
}

interface RowProps<T> extends Pick<SparseListProps<T>, 'columns' | 'isMarked' | 'onMark'> {
  row: T | undefined;
  index: number;
  start: number;
  isOn: boolean;
}

function SparseRow<T extends { id: string }>({ row, columns, index, start, isOn, isMarked, onMark }: RowProps<T>) {
  const isChecked = row !== undefined && isMarked(row);
  return (
    <ListRow index={index} start={start} isOn={isOn}>
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
          {row ? column.cell(row) : <Bone wide={index % 3 === 0} />}
        </div>
      ))}
    </ListRow>
  );
}

/** The row chosen by keys, by its place: rows keep their places while somebody is on the list. */
function useCursor<T extends { id: string }>(
  { total, rowAt, onOpen, onMark }: Pick<SparseListProps<T>, 'total' | 'rowAt' | 'onOpen' | 'onMark'>,
  list: RefObject<HTMLElement | null>,
  reveal: (index: number) => void,
) {
  const [cursor, setCursor] = useState<number | null>(null);
  const go = (to: number) => {
    const next = Math.min(total - 1, Math.max(0, to));
    if (total === 0) return;
    setCursor(next);
    reveal(next);
    // From the button that was pressed last: Enter is now about the row.
    list.current?.focus({ preventScroll: true });
  };
  const row = cursor === null ? undefined : rowAt(cursor);
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

/** In a narrow list, beside facets or in a small window, only the columns that are needed most. */
function useFitting<T>(columns: readonly Column<T>[], list: RefObject<HTMLElement | null>): readonly Column<T>[] {
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
