import { useMemo } from 'react';
import { useKnownDestinations } from '../../api/forwarding.ts';
import { arrangeColumns, type ColumnChoice, changeColumn } from '../../model/filter/column-choice.ts';
import { preference, usePreference } from '../../ui/primitives/preferences.ts';
import { traceColumns } from './columns.tsx';

const withoutForwarding = traceColumns.filter(({ needsForwarding }) => !needsForwarding);
const columnById = new Map(traceColumns.map((column) => [column.id, column]));

/** Configured columns, and those of them that are shown. */
export function useColumns() {
  const [saved, save] = usePreference(preference.traceColumns);
  const isForwarding = useKnownDestinations().length > 0;
  const choice = useMemo(() => arrangeColumns(isForwarding ? traceColumns : withoutForwarding, saved), [isForwarding, saved]);
  const columns = useMemo(
    () =>
      choice.flatMap(({ id, isHidden, width }) => {
        const column = columnById.get(id);
        if (!column || isHidden) return [];
        return [width === null ? column : { ...column, width: `${width}px` }];
      }),
    [choice],
  );
  return {
    choice,
    columns,
    choose: (next: readonly ColumnChoice[]) => save([...next]),
    setWidth: (id: string, width: number | null) => save(changeColumn(choice, id, { width })),
  };
}
