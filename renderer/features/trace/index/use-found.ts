/** Search in a trace: matches by name and model at once, and matches in the full texts as the gateway finds them. */
import { useEffect, useMemo, useState } from 'react';
import { gateway } from '../../../api/client.ts';
import { namedSpans } from '../../../model/trace/span-rows.ts';
import type { SpanTree } from '../../../model/trace/span-tree.ts';

const restMs = 150;
const none = new Int32Array(0);

interface SearchResult {
  words: string;
  ids: string[];
  searched: number;
  /** State of the search in texts. */
  state: 'searching' | 'done' | 'failed';
}

const emptyResult = (words: string): SearchResult => ({ words, ids: [], searched: 0, state: 'searching' });

/** Searches all texts page by page, and reports the result after each page. */
async function search(traceId: string, words: string, report: (result: SearchResult) => void, signal: AbortSignal): Promise<void> {
  const result = emptyResult(words);
  try {
    for (let after: string | null | undefined; after !== null && !signal.aborted; ) {
      const { data } = await gateway.traceViewer.find({ params: { traceId }, query: { q: words, ...(after && { after }) } });
      result.ids.push(...data.ids);
      result.searched += data.searched;
      result.state = data.next === null ? 'done' : 'searching';
      after = data.next;
      if (!signal.aborted) report({ ...result, ids: [...result.ids] });
    }
  } catch {
    if (!signal.aborted) report({ ...result, state: 'failed' });
  }
}

export interface Found {
  /** In reading order. */
  places: Int32Array;
  isSearching: boolean;
  searched: number;
  /** `hidden`: there are no texts to search. */
  state: SearchResult['state'] | 'hidden';
}

export function useFound(tree: SpanTree, typed: string, isTextHidden = false): Found {
  const words = typed.trim();
  const [result, setResult] = useState(emptyResult(''));
  const { id } = tree.outline;
  const { size } = tree;
  // biome-ignore lint/correctness/useExhaustiveDependencies: searches again when new spans have arrived
  useEffect(() => {
    if (words === '' || isTextHidden) return;
    const aborter = new AbortController();
    const timer = setTimeout(() => void search(id, words, setResult, aborter.signal), restMs);
    return () => {
      clearTimeout(timer);
      aborter.abort();
    };
  }, [id, words, size, isTextHidden]);
  const current = result.words === words ? result : null;
  const ids = current?.ids;
  const places = useMemo(() => {
    if (words === '') return none;
    const matches = new Set(namedSpans(tree, words));
    for (const spanId of ids ?? []) {
      const at = tree.placeOf(spanId);
      if (at !== undefined) matches.add(at);
    }
    return Int32Array.from(matches).sort();
  }, [tree, words, ids]);
  return {
    places,
    isSearching: words !== '',
    searched: current?.searched ?? 0,
    state: current?.state ?? (isTextHidden ? 'hidden' : 'searching'),
  };
}
