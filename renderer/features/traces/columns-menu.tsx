import { ChevronDown, ChevronUp, Columns3 } from 'lucide-react';
import { arrangeColumns, type ColumnChoice, changeColumn, moveColumn } from '../../model/filter/column-choice.ts';
import { Popup } from '../../ui/overlays/popup.tsx';
import { Button, IconButton } from '../../ui/primitives/button.tsx';
import { Icon } from '../../ui/primitives/icon.tsx';
import { traceColumns } from './columns.tsx';

interface ColumnsMenuProps {
  columns: readonly ColumnChoice[];
  onColumns: (columns: readonly ColumnChoice[]) => void;
}

const headOf = new Map(traceColumns.map(({ id, head }) => [id, head]));

/** Menu to show, hide and reorder columns. */
export function ColumnsMenu({ columns, onColumns }: ColumnsMenuProps) {
  return (
    <Popup
      label="Columns"
      className="w-step"
      trigger={
        <IconButton label="Columns">
          <Icon of={Columns3} />
        </IconButton>
      }
    >
      <ul>
        {columns.map(({ id, isHidden }, i) => (
          <li key={id} className="group flex h-row items-center rounded-kind pl-2 hover:bg-hover">
            <label className="flex min-w-0 flex-1 items-center gap-2 text-fg-2 text-row">
              <input
                type="checkbox"
                checked={!isHidden}
                onChange={() => onColumns(changeColumn(columns, id, { isHidden: !isHidden }))}
                className="size-3.5 accent-accent"
              />
              <span className="truncate">{headOf.get(id)}</span>
            </label>
            <IconButton label={`Move ${headOf.get(id)} up`} disabled={i === 0} onClick={() => onColumns(moveColumn(columns, id, -1))}>
              <Icon of={ChevronUp} size="small" />
            </IconButton>
            <IconButton
              label={`Move ${headOf.get(id)} down`}
              disabled={i === columns.length - 1}
              onClick={() => onColumns(moveColumn(columns, id, 1))}
            >
              <Icon of={ChevronDown} size="small" />
            </IconButton>
          </li>
        ))}
      </ul>
      <div className="flex items-center justify-between gap-2 py-1 pr-1 pl-2 text-fg-3 text-label">
        Some are hidden in a narrow window.
        <Button onClick={() => onColumns(arrangeColumns(traceColumns, []))}>Reset</Button>
      </div>
    </Popup>
  );
}
