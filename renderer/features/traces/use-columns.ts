import { useMemo } from 'react';
import { useKnownDestinations } from '../../api/forwarding.ts';
import { arrangeColumns, type ColumnChoice, changeColumn } from '../../model/filter/column-choice.ts';
import { preference, usePreference } from '../../ui/primitives/preferences.ts';
import { traceColumns } from './columns.tsx';

const ofEverybody = traceColumns.filter(({ ofForwarding }) => !ofForwarding);
const known = new Map(traceColumns.map((column) => [column.id, column]));

/** Columns as configured, and the visible ones. */
export function useColumns() {
  const [kept, keep] = usePreference(preference.traceColumns);
  const isForwarding = useKnownDestinations().length > 0;
  const choice = useMemo(() => arrangeColumns(isForwarding ? traceColumns : ofEverybody, kept), [isForwarding, kept]);
  const columns = useMemo(
    () =>
      choice.flatMap(({ id, isHidden, width }) => {
        const column = known.get(id);
        if (!column || isHidden) return [];
        return [width === null ? column : { ...column, width: `${width}px` }];
      }),
    [choice],
  );
  return {
    choice,
    columns,
    choose: (next: readonly ColumnChoice[]) => keep([...next]),
    setWidth: (id: string, width: number | null) => keep(changeColumn(choice, id, { width })),
  };
}
