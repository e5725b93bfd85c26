// biome-ignore-all lint/a11y/useSemanticElements: the head is in a grid with rows that are positioned one by one
// biome-ignore-all lint/a11y/useFocusableInteractive: a head is reached by its button
import clsx from 'clsx';
import { type PointerEvent, useRef } from 'react';
import type { Column, Sort } from './data-list.tsx';

interface HeadProps {
  columns: readonly Pick<Column<never>, 'id' | 'head' | 'end' | 'sort'>[];
  sort: Sort;
  onSort: (by: string) => void;
  onWidth: (id: string, width: number | null) => void;
}

const ariaSort = { asc: 'ascending', desc: 'descending' } as const;

/** Column headers: a click sorts, dragging an edge changes the width. */
export function SparseHead({ columns, sort, onSort, onWidth }: HeadProps) {
  return (
    <div role="rowgroup" className="overflow-y-hidden border-line border-b [scrollbar-gutter:stable]">
      <div role="row" className="grid h-row shrink-0 grid-cols-(--columns) items-center gap-x-3 px-pad text-fg-3 text-label">
        <div role="columnheader">
          <span className="sr-only">Selected</span>
        </div>
        {columns.map(({ id, head, end, sort: by }) => {
          const order = by !== undefined && sort.by === by ? sort.order : undefined;
          return (
            <div
              key={id}
              role="columnheader"
              aria-sort={order ? ariaSort[order] : undefined}
              className={clsx('relative flex h-full min-w-0 items-center', end && 'justify-end')}
            >
              {by === undefined ? (
                <span className="truncate">{head}</span>
              ) : (
                <button type="button" onClick={() => onSort(by)} className={clsx('max-w-full truncate hover:text-fg', order && 'text-fg')}>
                  {head}
                  {order && <span aria-hidden="true">{order === 'asc' ? ' ↑' : ' ↓'}</span>}
                </button>
              )}
              <Edge onWidth={(width) => onWidth(id, width)} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

const widthPxMin = 40;

/** The edge between two columns. With the keyboard, widths are set in the column list. */
function Edge({ onWidth }: { onWidth: (width: number | null) => void }) {
  const start = useRef<{ x: number; width: number } | null>(null);
  const drag = (event: PointerEvent<HTMLElement>) => {
    const from = start.current;
    if (from) onWidth(Math.round(Math.max(widthPxMin, from.width + event.clientX - from.x)));
  };
  return (
    <span
      aria-hidden="true"
      title="Drag to change the width; double-click to reset"
      className="absolute inset-y-1 -right-2 w-1 cursor-col-resize rounded-key hover:bg-line-2"
      onPointerDown={(event) => {
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = { x: event.clientX, width: event.currentTarget.parentElement?.clientWidth ?? 0 };
      }}
      onPointerMove={drag}
      onPointerUp={() => (start.current = null)}
      onDoubleClick={() => onWidth(null)}
    />
  );
}
