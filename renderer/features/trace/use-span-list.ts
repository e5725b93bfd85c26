/** The index of a trace page: which rows there are, which one is chosen, and every way to choose another. */
import { useMemo, useState } from 'react';
import { type Folded, findSpans, foundRows, nextOf, unfoldedRows } from '../../model/span-rows.ts';
import { ancestors, type SpanNode, type SpanTree } from '../../model/span-tree.ts';
import { useAhead } from '../../ui/ahead.ts';

const none: Folded = new Set();
const restMs = 150;

interface Given {
  span: string | undefined;
  words: string;
  onSpan: (span: string) => void;
  onWords: (words: string) => void;
}

export function useSpanList(tree: SpanTree, given: Given) {
  const [id, setId] = useAhead(given.span, (span) => span !== undefined && given.onSpan(span), restMs);
  const [words, setWords] = useAhead(given.words, given.onWords, restMs);
  const [folded, setFolded] = useState(none);
  const found = useMemo(() => findSpans(tree, words), [tree, words]);
  const isSearching = words.trim() !== '';
  const rows = useMemo(() => (isSearching ? foundRows(tree, found) : unfoldedRows(tree, folded)), [tree, found, folded, isSearching]);
  const places = useMemo(() => new Map(rows.map((node, i) => [node.span.id, i])), [rows]);
  // A span that has not arrived yet is not forgotten: the first one stands in until it does.
  const selected = (id === undefined ? undefined : tree.byId.get(id)) ?? tree.nodes[0];

  const fold = (node: SpanNode, isFolded: boolean) => {
    const next = new Set(folded);
    if (isFolded && node.children.length > 0) next.add(node.span.id);
    else next.delete(node.span.id);
    setFolded(next);
  };
  /** Chooses a span wherever it is: what hides it is opened. */
  const reveal = (node: SpanNode | undefined) => {
    if (!node) return;
    const hiding = ancestors(node).filter((above) => folded.has(above.span.id));
    if (hiding.length > 0) setFolded(new Set([...folded].filter((each) => !hiding.some((above) => above.span.id === each))));
    if (isSearching && !places.has(node.span.id)) setWords('');
    setId(node.span.id);
  };
  const at = selected ? (places.get(selected.span.id) ?? -1) : -1;
  const step = (by: number) => reveal(rows[Math.min(rows.length - 1, Math.max(0, at + by))]);

  return {
    rows,
    folded,
    found,
    words,
    setWords,
    isSearching,
    selected,
    at,
    fold,
    reveal,
    step,
    edge: (end: 'first' | 'last') => reveal(end === 'first' ? rows[0] : rows.at(-1)),
    nextError: (by: 1 | -1) => reveal(nextOf(tree.errors, selected, by)),
    nextFound: (by: 1 | -1) => reveal(nextOf(found, selected, by)),
    inward: () => {
      if (!selected || selected.children.length === 0) return;
      if (folded.has(selected.span.id)) fold(selected, false);
      else reveal(selected.children[0]);
    },
    outward: () => {
      if (!selected) return;
      if (selected.children.length > 0 && !folded.has(selected.span.id) && !isSearching) fold(selected, true);
      else reveal(selected.parent ?? undefined);
    },
  };
}

export type SpanList = ReturnType<typeof useSpanList>;
