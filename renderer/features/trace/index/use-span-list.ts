/** State of the span index: rows, selection, and actions that change the selection. */
import { useMemo, useRef } from 'react';
import { aboveChatter } from '../../../model/trace/chatter.ts';
import { costAlone, foundRows, indexOfRow, largest, nextOf, unfoldedRows } from '../../../model/trace/span-rows.ts';
import type { SpanTree } from '../../../model/trace/span-tree.ts';
import { useDebouncedValue } from '../../../ui/primitives/debounced-value.ts';
import type { SpanViewMode } from '../../../ui/primitives/preferences.ts';
import { useFolds } from './use-folds.ts';
import { useFound } from './use-found.ts';

const restMs = 150;
/** Number of ranked spans. */
const ranksMax = 10;

interface ListState {
  span: string | undefined;
  words: string;
  onSpan: (span: string) => void;
  onWords: (words: string) => void;
  viewMode: SpanViewMode;
  /** Only names and models can be searched. */
  isTextHidden?: boolean;
}

export function useSpanList(tree: SpanTree, state: ListState) {
  const [id, setId] = useDebouncedValue(state.span, (span) => span !== undefined && state.onSpan(span), restMs);
  const [words, setWords] = useDebouncedValue(state.words, state.onWords, restMs);
  const found = useFound(tree, words, state.isTextHidden);
  const { isSearching, places } = found;
  const { chatter, folded, foldAll, fold, openAbove, counts, runs } = useFolds(tree, isSearching ? null : state.viewMode, state.span);
  const rows = useMemo(
    () => (isSearching ? foundRows(tree, places) : unfoldedRows(tree, folded, counts)),
    [tree, places, folded, isSearching, counts],
  );
  // A selected span that has not arrived yet stays selected; until then the first span is shown in its place.
  const selected = (id === undefined ? undefined : tree.placeOf(id)) ?? 0;
  const ranked = useRanked(tree);

  /** Selects a span and expands its ancestors. */
  const reveal = (at: number | undefined) => {
    if (at === undefined || at < 0 || at >= tree.size) return;
    openAbove(at);
    if (isSearching && indexOfRow(rows, at) < 0) setWords('');
    runs.reveal(at);
    setId(tree.idAt(at));
  };
  const at = indexOfRow(rows, selected);
  const timesOf = (place: number) => counts?.[place] ?? 0;
  const isFolded = (place: number) => !isSearching && (folded.has(tree.idAt(place)) || timesOf(place) > 0);
  return {
    rows,
    isFolded,
    timesOf,
    isInternal: (place: number) => chatter.length[place] === timesOf(place) && timesOf(place) > 0,
    found,
    words,
    setWords,
    isSearching,
    selected,
    at,
    fold: (place: number, isFolding: boolean) => (timesOf(place) > 0 ? runs.open(place) : fold(place, isFolding)),
    reveal,
    /** Selects the span that started last, above those of a framework. */
    follow: () => tree.size > 0 && reveal(aboveChatter(chatter, tree, tree.readAt[tree.size - 1] as number)),
    ...jumps({ tree, rows, at, places, selected, isChosen: id !== undefined, reveal, ranked }),
    foldAll,
    expandOrChild: () => {
      if (timesOf(selected) > 0) runs.open(selected);
      if ((tree.below[selected] as number) === 0) return;
      if (isFolded(selected)) fold(selected, false);
      else reveal(selected + 1);
    },
    collapseOrParent: () => {
      const first = runs.close(selected);
      if (first >= 0) setId(tree.idAt(first));
      else if ((tree.below[selected] as number) > 0 && !isFolded(selected) && !isSearching) fold(selected, true);
      else reveal(tree.parent[selected]);
    },
  };
}

interface Jumps {
  tree: SpanTree;
  rows: Int32Array;
  /** Row of the selected span. */
  at: number;
  places: Int32Array;
  selected: number;
  /** False while the first span is shown in place of the selected one. */
  isChosen: boolean;
  reveal: (at: number | undefined) => void;
  ranked: ReturnType<typeof useRanked>;
}

const jumps = ({ tree, rows, at, places, selected, isChosen, reveal, ranked }: Jumps) => ({
  step: (by: number) => reveal(rows[Math.min(rows.length - 1, Math.max(0, at + by))]),
  edge: (end: 'first' | 'last') => reveal(rows.at(end === 'first' ? 0 : -1)),
  /** Next origin of a failure; a span that failed only because of its child is skipped. */
  nextError: (by: 1 | -1) => reveal(nextOf(tree.causes, isChosen ? selected : -1, by)),
  nextFound: (by: 1 | -1) => reveal(nextOf(places, selected, by)),
  /** Next span in the ranking by self time or own cost; the first one when a span outside the ranking is selected. */
  nextRanked: (by: 'time' | 'cost', down: 1 | -1) => reveal(ranked(by, down, selected)),
});

export type SpanList = ReturnType<typeof useSpanList>;

interface Ranking {
  by: 'time' | 'cost';
  places: Int32Array;
  tree: SpanTree;
  /** Position of the last target in `places`. */
  at: number;
}

/** Next target in a ranking: its first span, or the one after the current target. */
function useRanked(tree: SpanTree): (by: Ranking['by'], down: 1 | -1, selected: number) => number | undefined {
  const last = useRef<Ranking | null>(null);
  return (by, down, selected) => {
    const ranking = last.current;
    const isOn = ranking?.by === by && ranking.tree === tree && ranking.places[ranking.at] === selected;
    const places =
      ranking?.by === by && ranking.tree === tree ? ranking.places : largest(by === 'time' ? tree.self : costAlone(tree), ranksMax);
    const at = isOn ? (ranking.at + down + places.length) % places.length : 0;
    last.current = { by, places, tree, at };
    return places[at];
  };
}
