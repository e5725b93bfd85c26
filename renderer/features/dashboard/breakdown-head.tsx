import clsx from 'clsx';
import type { BreakdownSort } from './breakdown.ts';

const directions = { asc: 'ascending', desc: 'descending' } as const;

interface BreakdownHeadProps {
  /** The first is of names, the others of numbers. */
  columns: readonly { id: string; head: string }[];
  /** The head of the last column, which cannot be sorted by. */
  last: string;
  sort: BreakdownSort | null;
  onSort: (sort: BreakdownSort) => void;
}

/** Heads of the table. The first click sorts numbers downwards and names upwards, the second reverses it. */
export function BreakdownHead({ columns, last, sort, onSort }: BreakdownHeadProps) {
  const next = (by: string): BreakdownSort => {
    if (sort?.by !== by) return { by, order: by === 'name' ? 'asc' : 'desc' };
    return { by, order: sort.order === 'asc' ? 'desc' : 'asc' };
  };
  return (
    <thead>
      <tr className="h-row border-line border-b text-fg-3 text-label">
        {columns.map(({ id, head }, at) => {
          const order = sort?.by === id ? sort.order : undefined;
          return (
            <th
              key={id}
              scope="col"
              aria-sort={order && directions[order]}
              className={clsx('whitespace-nowrap px-pad font-normal', at === 0 ? 'text-left' : 'text-right')}
            >
              <button type="button" onClick={() => onSort(next(id))} className={clsx('hover:text-fg', order && 'text-fg')}>
                {head}
                {order && <span aria-hidden="true">{order === 'asc' ? ' ↑' : ' ↓'}</span>}
              </button>
            </th>
          );
        })}
        <th scope="col" className="whitespace-nowrap px-pad text-left font-normal">
          {last}
        </th>
      </tr>
    </thead>
  );
}
