import { useCallback, useState } from 'react';
import type { ListedTrace } from '../../../shared/contract/tracing/trace-list.ts';

const none: ReadonlyMap<string, ListedTrace> = new Map();

/** Selected rows. The selection stays when the list changes. */
export function useSelection(loaded: readonly ListedTrace[]) {
  const [selected, setSelected] = useState(none);
  const [latest, setLatest] = useState<string | null>(null);
  const select = useCallback(
    (row: ListedTrace, isRange: boolean) => {
      const from = isRange ? loaded.findIndex(({ id }) => id === latest) : -1;
      const to = loaded.findIndex(({ id }) => id === row.id);
      const rows = from < 0 ? [row] : loaded.slice(Math.min(from, to), Math.max(from, to) + 1);
      setLatest(row.id);
      setSelected((before) => {
        const after = new Map(before);
        const isAdding = from >= 0 || !before.has(row.id);
        for (const trace of rows) isAdding ? after.set(trace.id, trace) : after.delete(trace.id);
        return after;
      });
    },
    [loaded, latest],
  );
  const isSelected = useCallback((row: ListedTrace) => selected.has(row.id), [selected]);
  return { selected, select, isSelected, clear: () => setSelected(none) };
}
