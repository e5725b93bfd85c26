/** The spans that hold some words: by name and model at once, and by their whole texts as the gateway finds them. */
import { useEffect, useMemo, useState } from 'react';
import { gateway } from '../../../api/client.ts';
import { namedSpans } from '../../../model/trace/span-rows.ts';
import type { SpanTree } from '../../../model/trace/span-tree.ts';

const restMs = 150;
const none = new Int32Array(0);

interface Answer {
  words: string;
  ids: string[];
  searched: number;
  /** State of the text search. */
  state: 'going' | 'done' | 'failed';
}

const asked = (words: string): Answer => ({ words, ids: [], searched: 0, state: 'going' });

/** Goes through all texts step by step, and tells of every step. */
async function search(traceId: string, words: string, tell: (answer: Answer) => void, signal: AbortSignal): Promise<void> {
  const answer = asked(words);
  try {
    for (let after: number | null = 0; after !== null && !signal.aborted; ) {
      const { data } = await gateway.traceViewer.find({ params: { traceId }, query: { q: words, after } });
      answer.ids.push(...data.ids);
      answer.searched += data.searched;
      answer.state = data.next === null ? 'done' : 'going';
      after = data.next;
      if (!signal.aborted) tell({ ...answer, ids: [...answer.ids] });
    }
  } catch {
    if (!signal.aborted) tell({ ...answer, state: 'failed' });
  }
}

export interface Found {
  /** In reading order. */
  places: Int32Array;
  isSearching: boolean;
  searched: number;
  state: Answer['state'];
}

export function useFound(tree: SpanTree, typed: string): Found {
  const words = typed.trim();
  const [answer, setAnswer] = useState(asked(''));
  const { id } = tree.outline;
  const { size } = tree;
  // biome-ignore lint/correctness/useExhaustiveDependencies: spans that have arrived since are searched too
  useEffect(() => {
    if (words === '') return;
    const going = new AbortController();
    const timer = setTimeout(() => void search(id, words, setAnswer, going.signal), restMs);
    return () => {
      clearTimeout(timer);
      going.abort();
    };
  }, [id, words, size]);
  const current = answer.words === words ? answer : null;
  const ids = current?.ids;
  const places = useMemo(() => {
    if (words === '') return none;
    const all = new Set(namedSpans(tree, words));
    for (const each of ids ?? []) {
      const at = tree.placeOf(each);
      if (at !== undefined) all.add(at);
    }
    return Int32Array.from(all).sort();
  }, [tree, words, ids]);
  return { places, isSearching: words !== '', searched: current?.searched ?? 0, state: current?.state ?? 'going' };
}
