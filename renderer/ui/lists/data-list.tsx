// biome-ignore-all lint/a11y/useSemanticElements: rows are positioned in a grid; table elements with such a layout lose their role
// biome-ignore-all lint/a11y/useFocusableInteractive: a row is reached by its link and by the keys of the list
import clsx from 'clsx';
import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { useKeys } from '../primitives/keys.tsx';
import { useIsNarrow } from '../primitives/narrow.ts';
import { ListRow, SecondLine } from './list-row.tsx';
import { useInSight, useVirtualRows } from './virtual-rows.ts';

export interface Column<T> {
  id: string;
  head: string;
  /** The head is only for screen readers: the cells speak for themselves. */
  isHeadHidden?: boolean;
  /** A grid track, built from width tokens: `var(--width-cost)`, `minmax(0, 1fr)`. */
  width: string;
  /** Right-aligned, for numbers. */
  end?: boolean;
  /** The name the gateway sorts by. Columns without one cannot be sorted. */
  sort?: string;
  /** Where the second line of a row begins, in lists whose rows have two. */
  isLead?: boolean;
  /** Hidden when the window is narrow. */
  wideOnly?: boolean;
  cell: (row: T) => ReactNode;
}

/** Head of a column of buttons. */
export const actionsHead = { head: 'Actions', isHeadHidden: true } as const;

export interface Sort {
  by: string;
  order: 'asc' | 'desc';
}

interface RowKey<T> {
  on: string;
  label: string;
  run: (row: T) => void;
}

interface DataListProps<T> {
  label: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  sort?: Sort;
  onSort?: (by: string) => void;
  onOpen: (row: T) => void;
  /** Keys for the row that is selected by keyboard, besides Enter. */
  rowKeys?: readonly RowKey<T>[];
  /** The second line of a row, from the leading column to the end. */
  secondLine?: (row: T) => ReactNode;
  selected?: string | null;
  /** Changes when the rows are a different list, not a newer version: the list then scrolls to the top. */
  listKey: string;
  /** Shown while the list has no rows. */
  children?: ReactNode;
}

export function DataList<T extends { id: string }>(props: DataListProps<T>) {
  const { label, rows, secondLine, selected = null, listKey } = props;
  const isNarrow = useIsNarrow();
  const columns = useMemo(() => props.columns.filter((column) => !(isNarrow && column.wideOnly)), [props.columns, isNarrow]);
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualRows(rows.length, scroller, secondLine ? '--spacing-tall-row' : '--spacing-row');
  const [cursor, setCursor] = useCursor(props, scroller);
  const at = rows.findIndex((row) => row.id === cursor);
  useInSight(virtual, cursor, at);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another list starts at the top
  useEffect(() => {
    scroller.current?.scrollTo({ top: 0 });
    setCursor(null);
  }, [listKey]);

  const isEmpty = rows.length === 0;
  return (
    <div
      className="flex min-h-0 flex-1 flex-col"
      style={{ '--columns': columns.map((column) => column.width).join(' ') } as React.CSSProperties}
    >
      <div role="table" aria-label={label} aria-rowcount={rows.length} className={clsx('flex flex-col', !isEmpty && 'min-h-0 flex-1')}>
        <Head columns={columns} sort={props.sort} onSort={props.onSort} />
        {!isEmpty && (
          <div ref={scroller} role="rowgroup" tabIndex={-1} className="min-h-0 flex-1 overflow-y-auto overflow-x-hidden outline-none">
            <div className="relative" style={{ height: virtual.getTotalSize() }}>
              {virtual.getVirtualItems().map(({ index, start }) => {
                const row = rows[index] as T;
                return (
                  <Row
                    key={row.id}
                    row={row}
                    columns={columns}
                    secondLine={secondLine}
                    index={index}
                    start={start}
                    isOn={row.id === cursor || row.id === selected}
                  />
                );
              })}
            </div>
          </div>
        )}
      </div>
      {/* Captions are outside the table. */}
      {isEmpty && <div className="min-h-0 flex-1 overflow-y-auto">{props.children}</div>}
    </div>
  );
}

interface RowProps<T> {
  row: T;
  columns: readonly Column<T>[];
  secondLine: ((row: T) => ReactNode) | undefined;
  index: number;
  start: number;
  isOn: boolean;
}

function Row<T extends { id: string }>({ row, columns, secondLine, index, start, isOn }: RowProps<T>) {
  return (
    <ListRow index={index} start={start} isOn={isOn} isTall={secondLine !== undefined}>
      {columns.map((column) => (
        <div key={column.id} role="cell" className={clsx('min-w-0', column.end && 'text-right')}>
          {column.cell(row)}
        </div>
      ))}
      {secondLine && <SecondLine columns={columns}>{secondLine(row)}</SecondLine>}
    </ListRow>
  );
}

interface HeadProps {
  columns: readonly Pick<Column<never>, 'id' | 'head' | 'isHeadHidden' | 'end' | 'sort'>[];
  sort: Sort | undefined;
  onSort: ((by: string) => void) | undefined;
}

const ariaSort = { asc: 'ascending', desc: 'descending' } as const;

function Head({ columns, sort, onSort }: HeadProps) {
  return (
    <div
      role="row"
      className="grid h-row shrink-0 grid-cols-(--columns) items-center gap-x-3 border-line border-b px-pad text-fg-3 text-label"
    >
      {columns.map(({ id, head, isHeadHidden, end, sort: by }) => {
        const order = by !== undefined && sort?.by === by ? sort.order : undefined;
        const arrow = order && <span aria-hidden="true">{order === 'asc' ? ' ↑' : ' ↓'}</span>;
        return (
          <div
            key={id}
            role="columnheader"
            aria-sort={order ? ariaSort[order] : undefined}
            className={clsx('min-w-0 truncate', end && 'text-right')}
          >
            {by === undefined || !onSort ? (
              <span className={clsx(isHeadHidden && 'sr-only')}>{head}</span>
            ) : (
              <button type="button" onClick={() => onSort(by)} className={clsx('max-w-full truncate hover:text-fg', order && 'text-fg')}>
                {head}
                {arrow}
              </button>
            )}
          </div>
        );
      })}
    </div>
  );
}

/** Row selected by keyboard. Identified by its id, so that it stays selected while rows change. */
function useCursor<T extends { id: string }>({ rows, onOpen, rowKeys = [] }: DataListProps<T>, list: RefObject<HTMLElement | null>) {
  const [cursor, setCursor] = useState<string | null>(null);
  const move = (step: number) => {
    const at = rows.findIndex((row) => row.id === cursor);
    const next = at === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, at + step));
    setCursor(rows[next]?.id ?? null);
    // Moves the focus from the pressed button to the list, so that Enter applies to the row.
    list.current?.focus({ preventScroll: true });
  };
  useKeys('List', [
    { on: ['j', 'ArrowDown'], label: 'Next row', run: () => move(1) },
    { on: ['k', 'ArrowUp'], label: 'Previous row', run: () => move(-1) },
    ...[{ on: 'Enter', label: 'Open the row', run: onOpen }, ...rowKeys].map(({ on, label, run }) => ({
      ...{ on: [on], label },
      run: () => {
        const row = rows.find(({ id }) => id === cursor);
        if (row) run(row);
      },
    })),
    { on: ['Escape'], label: 'Leave the row', run: () => setCursor(null) },
  ]);
  return [cursor, setCursor] as const;
}
