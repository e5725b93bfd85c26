/** Index state of a trace page: rows, selection, and actions that change the selection. */
import { useMemo, useRef, useState } from 'react';
import { costAlone, type Folded, foundRows, indexOfRow, largest, nextOf, unfoldedRows } from '../../../model/trace/span-rows.ts';
import type { SpanTree } from '../../../model/trace/span-tree.ts';
import { useDebouncedValue } from '../../../ui/primitives/debounced-value.ts';
import { useFound } from './use-found.ts';
import { useRepeats } from './use-repeats.ts';

const none: Folded = new Set();
const restMs = 150;
/** Length of a ranking. */
const ranksMax = 10;

interface Given {
  span: string | undefined;
  words: string;
  onSpan: (span: string) => void;
  onWords: (words: string) => void;
  /** Whether repeated steps are folded. */
  foldsRepeats: boolean;
}

export function useSpanList(tree: SpanTree, given: Given) {
  const [id, setId] = useDebouncedValue(given.span, (span) => span !== undefined && given.onSpan(span), restMs);
  const [words, setWords] = useDebouncedValue(given.words, given.onWords, restMs);
  const { folded, setFolded, fold, openAbove } = useFolds(tree);
  const found = useFound(tree, words);
  const { isSearching, places } = found;
  const { standsFor, ...repeats } = useRepeats(tree, given.foldsRepeats && !isSearching, given.span);
  const rows = useMemo(
    () => (isSearching ? foundRows(tree, places) : unfoldedRows(tree, folded, standsFor)),
    [tree, places, folded, isSearching, standsFor],
  );
  // A span that has not arrived stays selected; the first one represents it until then.
  const selected = (id === undefined ? undefined : tree.placeOf(id)) ?? 0;
  const ranked = useRanked(tree);

  /** Selects a span and unfolds its ancestors. */
  const reveal = (at: number | undefined) => {
    if (at === undefined || at < 0 || at >= tree.size) return;
    openAbove(at);
    if (isSearching && indexOfRow(rows, at) < 0) setWords('');
    repeats.reveal(at);
    setId(tree.idAt(at));
  };
  const at = indexOfRow(rows, selected);
  const timesOf = (place: number) => standsFor?.[place] ?? 0;
  const isFolded = (place: number) => !isSearching && (folded.has(tree.idAt(place)) || timesOf(place) > 0);
  return {
    rows,
    isFolded,
    timesOf,
    found,
    words,
    setWords,
    isSearching,
    selected,
    at,
    fold: (place: number, isFolding: boolean) => (timesOf(place) > 0 ? repeats.open(place) : fold(place, isFolding)),
    reveal,
    ...jumps({ tree, rows, at, places, selected, isChosen: id !== undefined, reveal, ranked }),
    foldAll: (isFolding: boolean) => {
      setFolded(isFolding ? foldable(tree) : none);
      repeats.setAllOpen(!isFolding);
    },
    inward: () => {
      if (timesOf(selected) > 0) repeats.open(selected);
      if ((tree.below[selected] as number) === 0) return;
      if (isFolded(selected)) fold(selected, false);
      else reveal(selected + 1);
    },
    outward: () => {
      const first = repeats.close(selected);
      if (first >= 0) setId(tree.idAt(first));
      else if ((tree.below[selected] as number) > 0 && !isFolded(selected) && !isSearching) fold(selected, true);
      else reveal(tree.parent[selected]);
    },
  };
}

interface Jumps {
  tree: SpanTree;
  rows: Int32Array;
  /** The row of the chosen span. */
  at: number;
  places: Int32Array;
  selected: number;
  /** False while another span represents the selected one. */
  isChosen: boolean;
  reveal: (at: number | undefined) => void;
  ranked: ReturnType<typeof useRanked>;
}

const jumps = ({ tree, rows, at, places, selected, isChosen, reveal, ranked }: Jumps) => ({
  step: (by: number) => reveal(rows[Math.min(rows.length - 1, Math.max(0, at + by))]),
  edge: (end: 'first' | 'last') => reveal(rows.at(end === 'first' ? 0 : -1)),
  /** Origins of failures; a wrapper that failed with its child is skipped. */
  nextError: (by: 1 | -1) => reveal(nextOf(tree.causes, isChosen ? selected : -1, by)),
  nextFound: (by: 1 | -1) => reveal(nextOf(places, selected, by)),
  /** Down the ranking by own time or own cost, from its top when something else is chosen. */
  nextRanked: (by: 'time' | 'cost', down: 1 | -1) => reveal(ranked(by, down, selected)),
});

export type SpanList = ReturnType<typeof useSpanList>;

function useFolds(tree: SpanTree) {
  const [folded, setFolded] = useState(none);
  const fold = (at: number, isFolded: boolean) => {
    const next = new Set(folded);
    if (isFolded && (tree.below[at] as number) > 0) next.add(tree.idAt(at));
    else next.delete(tree.idAt(at));
    setFolded(next);
  };
  const openAbove = (at: number) => {
    const open = new Set(folded);
    for (let above = tree.parent[at] as number; above >= 0; above = tree.parent[above] as number) open.delete(tree.idAt(above));
    if (open.size < folded.size) setFolded(open);
  };
  return { folded, setFolded, fold, openAbove };
}

/** All spans with children, except roots. */
const foldable = (tree: SpanTree): Folded => {
  const ids = new Set<string>();
  for (let at = 0; at < tree.size; at++) if ((tree.below[at] as number) > 0 && (tree.depth[at] as number) > 0) ids.add(tree.idAt(at));
  return ids;
};

interface Ranking {
  by: 'time' | 'cost';
  places: Int32Array;
  tree: SpanTree;
  /** Last target. */
  at: number;
}

/** Next target of a ranking: its first span, or the one after the current target. */
function useRanked(tree: SpanTree): (by: Ranking['by'], down: 1 | -1, selected: number) => number | undefined {
  const last = useRef<Ranking | null>(null);
  return (by, down, selected) => {
    const known = last.current;
    const isOn = known?.by === by && known.tree === tree && known.places[known.at] === selected;
    const places = known?.by === by && known.tree === tree ? known.places : largest(by === 'time' ? tree.self : costAlone(tree), ranksMax);
    const at = isOn ? (known.at + down + places.length) % places.length : 0;
    last.current = { by, places, tree, at };
    return places[at];
  };
}
