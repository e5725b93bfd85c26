/** The turns of a session in which the words of a search are, and where in each of them. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
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
export function useFoundTurns(sessionId: string, words: string): { found: FoundTurns | null; problem: string | null } {
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

async function findTurns(sessionId: string, filter: string): Promise<FoundTurns> {
  const { rows, total } = (
    await gateway.traceList.rows({ query: { session_id: sessionId, filter, sort_order: 'asc', limit: turnsMax, bookkeeping: 'include' } })
  ).data;
  const ids = rows.map(({ id }) => id);
  const trace_ids = ids.slice(0, placesMax).join(',');
  const places = ids.length > 0 && seeksTexts(filter) ? (await gateway.traceList.matches({ query: { filter, trace_ids } })).data : [];
  return { ids: new Set(ids), hasMore: total > rows.length, places: new Map(places.map((place) => [place.trace_id, place])) };
}
