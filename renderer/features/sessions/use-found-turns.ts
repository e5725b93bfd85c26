/** The turns of a session in which the words of a search are, and where in each of them. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { ListedTrace } from '../../../shared/contract/tracing/trace-list.ts';
import type { TraceMatch } from '../../../shared/contract/tracing/trace-matches.ts';
import { gateway } from '../../api/client.ts';
import { seeksTexts } from '../../model/filter/filter-text.ts';
import { searchedFilter } from '../../model/filter/searched-filter.ts';

const turnsMax = 1000;
/** Turns of which the place of the words is shown. */
const placesMax = 100;

export interface FoundTurns {
  /** Ids of their traces, oldest first. */
  ids: ReadonlySet<string>;
  /** More turns than these were found. */
  hasMore: boolean;
  places: ReadonlyMap<string, TraceMatch>;
}

/** @returns null while nothing is searched, and until the answer */
function useFoundTurns(sessionId: string, words: string): { found: FoundTurns | null; problem: string | null } {
  const { filter, problem } = searchedFilter(words);
  const isSearching = words.trim() !== '' && problem === null;
  const { data, error } = useQuery({
    queryKey: ['sessions', 'found', sessionId, filter],
    enabled: isSearching,
    placeholderData: keepPreviousData,
    queryFn: () => findTurns(sessionId, filter),
  });
  const failed = error ? 'The session could not be searched' : null;
  return { found: isSearching ? (data ?? null) : null, problem: words.trim() === '' ? null : (problem?.message ?? failed) };
}

/** Turns that are loaded for a search before the reader is asked. */
const loadedStep = 5000;

interface LoadedTurns {
  turns: readonly ListedTrace[] | undefined;
  hasNextPage: boolean;
  isFetching: boolean;
  isError: boolean;
  fetchNextPage: () => unknown;
}

/** How far the turns that were found have been loaded. */
export interface FoundProgress {
  /** Turns that were found and are not loaded. */
  missing: number;
  /** Turns of the session that are loaded. */
  loaded: number;
  isLoading: boolean;
  loadMore: () => void;
}

/** Loads pages of the session until the turns that were found are among them, but no more than a step of them unasked. */
function useFoundProgress(found: FoundTurns | null, query: LoadedTurns): FoundProgress {
  const { turns, hasNextPage, isFetching, isError, fetchNextPage } = query;
  const [most, setMost] = useState(loadedStep);
  const loaded = turns?.length ?? 0;
  const missing = useMemo(() => {
    if (!found) return 0;
    const known = new Set(turns?.map(({ id }) => id));
    return [...found.ids].filter((id) => !known.has(id)).length;
  }, [found, turns]);
  const isWanted = missing > 0 && hasNextPage;
  const isLoading = isWanted && !isError && loaded < most;
  useEffect(() => {
    if (isLoading && !isFetching) fetchNextPage();
  }, [isLoading, isFetching, fetchNextPage]);
  const loadMore = () => {
    setMost(loaded + loadedStep);
    if (isError) fetchNextPage();
  };
  return { missing: isWanted ? missing : 0, loaded, isLoading, loadMore };
}

export function useSessionSearch(sessionId: string, words: string, query: LoadedTurns) {
  const { found, problem } = useFoundTurns(sessionId, words);
  return { found, problem, progress: useFoundProgress(found, query) };
}

async function findTurns(sessionId: string, filter: string): Promise<FoundTurns> {
  const { rows, total } = (
    await gateway.traceList.rows({ query: { session_id: sessionId, filter, sort_order: 'asc', limit: turnsMax, bookkeeping: 'include' } })
  ).data;
  const ids = rows.map(({ id }) => id);
  const trace_ids = ids.slice(0, placesMax).join(',');
  const places = ids.length > 0 && seeksTexts(filter) ? (await gateway.traceList.matches({ query: { filter, trace_ids } })).data : [];
  return { ids: new Set(ids), hasMore: total > rows.length, places: new Map(places.map((place) => [place.trace_id, place])) };
}
