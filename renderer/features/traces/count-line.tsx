/** How many traces the list has, of how many, and how they were found. */
import { useQuery } from '@tanstack/react-query';
import type { MatchPlace } from '../../../shared/contract/tracing/match-places.ts';
import type { TraceMatch } from '../../../shared/contract/tracing/trace-matches.ts';
import { gateway } from '../../api/client.ts';
import { count, duration, plural } from '../../model/text/format.ts';
import { milliseconds } from '../../model/time/time.ts';
import { boundsOf } from '../../model/time/time-range.ts';
import { type LoadedTraces, pageSize } from './rows-query.ts';
import { changedView, currentSort, listKeyOf, narrowingOf, type TracesView } from './url.ts';

const placeWords: Record<MatchPlace, string> = {
  error: 'errors',
  tool_result: 'tool results',
  tool_arguments: 'tool arguments',
  output: 'answers',
  input: 'questions',
  system: 'system prompts',
  props: 'prompt variables',
  name: 'names',
  metadata: 'metadata',
};

interface CountLineProps {
  view: TracesView;
  rows: LoadedTraces | null;
  /** Whether the rows are still those of the previous list. */
  isOther: boolean;
  matches: ReadonlyMap<string, TraceMatch>;
  onView: (view: TracesView) => void;
}

export function CountLine({ view, rows, isOther, matches, onView }: CountLineProps) {
  const all = useTotalWithoutFilter(view, rows !== null && !isOther);
  if (!rows) return <span className="shrink-0"> </span>;
  if (isOther) return <span className="shrink-0">{view.filter === undefined ? 'Loading…' : 'Searching…'}</span>;
  const { sort_by, sort_order } = currentSort(view);
  const isNewestFirst = sort_by === 'start_time' && sort_order === 'desc';
  // The time of the search was spent before a page was full: all that was found is loaded.
  const oldest = rows.hasMore && isNewestFirst && rows.total < pageSize ? rows.rowAt(rows.total - 1) : undefined;
  if (oldest) return <FirstMatches {...{ view, total: rows.total, oldestMs: Date.parse(oldest.start), onView }} />;
  const details = [
    all !== null && `of ${count(all)}`,
    view.filter !== undefined && `found in ${duration(milliseconds(rows.tookMs))}`,
    !rows.hasMore && rows.total <= pageSize && wordsIn(rows.loaded.flatMap(({ id }) => matches.get(id) ?? [])),
  ].filter(Boolean);
  return (
    <span className="min-w-0 truncate tabular-nums" title={details.join(' · ') || undefined}>
      <span className="text-fg-2">{`${rows.hasMore ? 'more than ' : ''}${plural(rows.total, 'trace')}`}</span>
      {details.length > 0 && ` ${details.join(' · ')}`}
    </span>
  );
}

interface FirstMatchesProps {
  view: TracesView;
  total: number;
  /** Start of the oldest trace that was found, in milliseconds since the epoch. */
  oldestMs: number;
  onView: (view: TracesView) => void;
}

function FirstMatches({ view, total, oldestMs, onView }: FirstMatchesProps) {
  const age = duration(milliseconds(Math.max(0, (view.to ?? Date.now()) - oldestMs)));
  const further = () => onView(changedView(view, { last: undefined, from: boundsOf(view, Date.now()).from, to: oldestMs }));
  return (
    <span className="shrink-0 tabular-nums">
      {`The first ${plural(total, 'match', 'matches')} of ${view.to === undefined ? 'the last ' : ''}${age}. `}
      <button type="button" onClick={further} className="text-accent hover:underline">
        Search further back
      </button>
    </span>
  );
}

/** Null unless there is a filter, and until it is known. */
function useTotalWithoutFilter(view: TracesView, isEnabled: boolean): number | null {
  const whole = changedView(view, { filter: undefined, sort_by: undefined, sort_order: undefined });
  const isFiltered = view.filter !== undefined;
  const { data } = useQuery({
    queryKey: ['traces', 'whole', listKeyOf(whole)],
    enabled: isEnabled && isFiltered,
    staleTime: 10_000,
    queryFn: async () => (await gateway.traceList.rows({ query: { ...narrowingOf(whole, Date.now()), limit: 1 } })).data.total,
  });
  return isFiltered ? (data ?? null) : null;
}

/** `words in tool results 14, answers 7`. */
function wordsIn(matches: readonly TraceMatch[]): string {
  const counts = Map.groupBy(matches, ({ place }) => place);
  const places = [...counts].map(([place, found]) => ({ place, found: found.length })).sort((a, b) => b.found - a.found);
  return places.length === 0 ? '' : `words in ${places.map(({ place, found }) => `${placeWords[place]} ${count(found)}`).join(', ')}`;
}
