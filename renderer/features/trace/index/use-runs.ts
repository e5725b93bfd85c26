import { useMemo, useState } from 'react';
import type { SpanTree } from '../../../model/trace/span-tree.ts';

const none: ReadonlySet<string> = new Set();

/** Runs of spans that one row can stand for. */
export interface Runs {
  /** Number of spans at the first of a run; 0 for every other span. */
  length: Int32Array;
  /** First span of the run that a span belongs to, -1 for none. */
  first: Int32Array;
}

/** Shows one row for each run; of runs in runs, the outer ones come first. Those around a selected span are expanded, and stay expanded. */
export function useRuns(tree: SpanTree, runs: readonly Runs[], initialSpan: string | undefined) {
  const firstsOf = (at: number | undefined) =>
    at === undefined ? [] : runs.map(({ first }) => first[at] as number).filter((first) => first >= 0 && first !== at);
  const [opened, setOpened] = useState(() => {
    const firsts = firstsOf(initialSpan === undefined ? undefined : tree.placeOf(initialSpan));
    return firsts.length === 0 ? none : new Set(firsts.map(tree.idAt));
  });
  const [isAllOpen, setAllOpen] = useState(false);
  /** Number of spans that each row represents, by position; 0 where every span has its own row. */
  const counts = useMemo(() => {
    if (runs.length === 0 || isAllOpen) return null;
    const counts = new Int32Array(tree.size);
    for (const { length } of runs) for (let at = 0; at < tree.size; at++) if (counts[at] === 0) counts[at] = length[at] as number;
    for (const id of opened) {
      const at = tree.placeOf(id);
      if (at !== undefined) counts[at] = 0;
    }
    return counts;
  }, [tree, runs, opened, isAllOpen]);
  const open = (firsts: readonly number[]) => setOpened(new Set([...opened, ...firsts.map(tree.idAt)]));
  return {
    counts,
    /** Expands the runs around a span. */
    reveal: (at: number) => {
      const closed = firstsOf(at).filter((first) => (counts?.[first] ?? 0) > 0);
      if (closed.length > 0) open(closed);
    },
    open: (first: number) => open([first]),
    /** Collapses the innermost run around a span again. @returns the first span of it, -1 when none is expanded */
    close: (at: number): number => {
      const first = runs.map((run) => run.first[at] as number).findLast((start) => start >= 0 && opened.has(tree.idAt(start))) ?? -1;
      if (first >= 0 && counts !== null) setOpened(new Set([...opened].filter((id) => id !== tree.idAt(first))));
      return counts === null ? -1 : first;
    },
    setAllOpen,
  };
}
