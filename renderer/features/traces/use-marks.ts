import { useCallback, useState } from 'react';
import type { ListedTrace } from '../../../shared/contract/tracing/trace-list.ts';

const none: ReadonlyMap<string, ListedTrace> = new Map();

/** The rows that are selected. They stay so while the list below them becomes another one. */
export function useMarks(loaded: readonly ListedTrace[]) {
  const [marked, setMarked] = useState(none);
  const [latest, setLatest] = useState<string | null>(null);
  const mark = useCallback(
    (row: ListedTrace, isRange: boolean) => {
      const from = isRange ? loaded.findIndex(({ id }) => id === latest) : -1;
      const to = loaded.findIndex(({ id }) => id === row.id);
      const rows = from < 0 ? [row] : loaded.slice(Math.min(from, to), Math.max(from, to) + 1);
      setLatest(row.id);
      setMarked((before) => {
        const after = new Map(before);
        const isAdding = from >= 0 || !before.has(row.id);
        for (const each of rows) isAdding ? after.set(each.id, each) : after.delete(each.id);
        return after;
      });
    },
    [loaded, latest],
  );
  const isMarked = useCallback((row: ListedTrace) => marked.has(row.id), [marked]);
  return { marked, mark, isMarked, clear: () => setMarked(none) };
}
