import { useMemo, useState } from 'react';
import { repeatsOf } from '../../../model/trace/repeats.ts';
import type { SpanTree } from '../../../model/trace/span-tree.ts';

const none: ReadonlySet<string> = new Set();

/** Collapses repeated steps into one row. Steps around a selected span are expanded, and stay expanded. */
export function useRepeats(tree: SpanTree, isEnabled: boolean, initialSpan: string | undefined) {
  const repeats = useMemo(() => repeatsOf(tree), [tree]);
  const firstOf = (at: number | undefined) => (at === undefined ? -1 : (repeats.first[at] as number));
  const [opened, setOpened] = useState(() => {
    const at = initialSpan === undefined ? undefined : tree.placeOf(initialSpan);
    const first = firstOf(at);
    return first < 0 || first === at ? none : new Set([tree.idAt(first)]);
  });
  const [isAllOpen, setAllOpen] = useState(false);
  /** Number of spans that each row represents, by position; 0 where every span has its own row. */
  const repeatCounts = useMemo(() => {
    if (!isEnabled || isAllOpen) return null;
    const counts = repeats.length.slice();
    for (const id of opened) {
      const at = tree.placeOf(id);
      if (at !== undefined) counts[at] = 0;
    }
    return counts;
  }, [tree, repeats, opened, isEnabled, isAllOpen]);
  const open = (first: number) => setOpened(new Set([...opened, tree.idAt(first)]));
  return {
    repeatCounts,
    /** Expands the steps around a span. */
    reveal: (at: number) => {
      const first = firstOf(at);
      if (first >= 0 && first !== at && (repeatCounts?.[first] ?? 0) > 0) open(first);
    },
    open,
    /** Collapses the steps around a span again. @returns the first of them, -1 when they are not expanded */
    close: (at: number): number => {
      const first = firstOf(at);
      if (first < 0 || repeatCounts === null || repeatCounts[first] !== 0) return -1;
      setOpened(new Set([...opened].filter((id) => id !== tree.idAt(first))));
      return first;
    },
    setAllOpen,
  };
}
