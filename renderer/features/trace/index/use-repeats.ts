import { useMemo, useState } from 'react';
import { repeatsOf } from '../../../model/trace/repeats.ts';
import type { SpanTree } from '../../../model/trace/span-tree.ts';

const none: ReadonlySet<string> = new Set();

/** Folding of repeated steps into one row. Steps around a selected span are unfolded, and stay so. */
export function useRepeats(tree: SpanTree, isWanted: boolean, begin: string | undefined) {
  const repeats = useMemo(() => repeatsOf(tree), [tree]);
  const firstOf = (at: number | undefined) => (at === undefined ? -1 : (repeats.first[at] as number));
  const [opened, setOpened] = useState(() => {
    const at = begin === undefined ? undefined : tree.placeOf(begin);
    const first = firstOf(at);
    return first < 0 || first === at ? none : new Set([tree.idAt(first)]);
  });
  const [isAllOpen, setAllOpen] = useState(false);
  /** Number of spans of each row, by position; 0 where every span has its own. */
  const standsFor = useMemo(() => {
    if (!isWanted || isAllOpen) return null;
    const counts = repeats.length.slice();
    for (const id of opened) {
      const at = tree.placeOf(id);
      if (at !== undefined) counts[at] = 0;
    }
    return counts;
  }, [tree, repeats, opened, isWanted, isAllOpen]);
  const open = (first: number) => setOpened(new Set([...opened, tree.idAt(first)]));
  return {
    standsFor,
    /** Unfolds the steps around a span. */
    reveal: (at: number) => {
      const first = firstOf(at);
      if (first >= 0 && first !== at && (standsFor?.[first] ?? 0) > 0) open(first);
    },
    open,
    /** Folds the steps of a span again and returns the first one; -1 when none is unfolded. */
    close: (at: number): number => {
      const first = firstOf(at);
      if (first < 0 || standsFor === null || standsFor[first] !== 0) return -1;
      setOpened(new Set([...opened].filter((id) => id !== tree.idAt(first))));
      return first;
    },
    setAllOpen,
  };
}
