import { useMemo, useState } from 'react';
import { type Chatter, chatterOf } from '../../../model/trace/chatter.ts';
import { repeatsOf } from '../../../model/trace/repeats.ts';
import type { Folded } from '../../../model/trace/span-rows.ts';
import type { SpanTree } from '../../../model/trace/span-tree.ts';
import type { SpanViewMode } from '../../../ui/primitives/preferences.ts';
import { type Runs, useRuns } from './use-runs.ts';

const none: Folded = new Set();
const noRuns: readonly Runs[] = [];

/** What one row stands for: repeated steps in a tree, adjacent steps of a framework in a transcript too. Bars are shown one by one. */
function useFoldedRuns(tree: SpanTree, chatter: Chatter, viewMode: SpanViewMode | null): readonly Runs[] {
  const repeats = useMemo(() => repeatsOf(tree), [tree]);
  return useMemo(
    () => (viewMode === 'tree' ? [chatter, repeats] : viewMode === 'transcript' ? [chatter] : noRuns),
    [chatter, repeats, viewMode],
  );
}

/**
 * Folded spans: those that the reader folded, and those with nothing but steps of a framework below them until the reader opens them.
 * @param viewMode null while searching, when each span has its own row
 */
export function useFolds(tree: SpanTree, viewMode: SpanViewMode | null, initialSpan: string | undefined) {
  const chatter = useMemo(() => chatterOf(tree), [tree]);
  const { counts, ...runs } = useRuns(tree, useFoldedRuns(tree, chatter, viewMode), initialSpan);
  const [chosen, setChosen] = useState(none);
  const [opened, setOpened] = useState<Folded>(
    () => new Set(ancestorsOf(tree, initialSpan === undefined ? undefined : tree.placeOf(initialSpan))),
  );
  const folded = useMemo(
    () => new Set([...chosen, ...chatter.folded.map(tree.idAt).filter((id) => !opened.has(id))]),
    [tree, chatter, chosen, opened],
  );
  const unfold = (ids: readonly string[]) => {
    const removed = new Set(ids);
    setChosen(new Set([...chosen].filter((id) => !removed.has(id))));
    setOpened(new Set([...opened, ...ids]));
  };
  return {
    chatter,
    folded,
    counts,
    runs,
    fold: (at: number, isFolding: boolean) => {
      if (!isFolding) return unfold([tree.idAt(at)]);
      if ((tree.below[at] as number) > 0) setChosen(new Set([...chosen, tree.idAt(at)]));
    },
    openAbove: (at: number) => {
      const closed = ancestorsOf(tree, at).filter((id) => folded.has(id));
      if (closed.length > 0) unfold(closed);
    },
    foldAll: (isFolding: boolean) => {
      setChosen(isFolding ? foldable(tree) : none);
      setOpened(isFolding ? none : new Set(chatter.folded.map(tree.idAt)));
      runs.setAllOpen(!isFolding);
    },
  };
}

function ancestorsOf(tree: SpanTree, at: number | undefined): string[] {
  const ids: string[] = [];
  for (let above = at === undefined ? -1 : (tree.parent[at] as number); above >= 0; above = tree.parent[above] as number)
    ids.push(tree.idAt(above));
  return ids;
}

/** All spans with children, except roots. */
const foldable = (tree: SpanTree): Folded => {
  const ids = new Set<string>();
  for (let at = 0; at < tree.size; at++) if ((tree.below[at] as number) > 0 && (tree.depth[at] as number) > 0) ids.add(tree.idAt(at));
  return ids;
};
