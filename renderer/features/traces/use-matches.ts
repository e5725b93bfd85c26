import { useQueries } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { ListedTrace } from '../../../shared/contract/tracing/trace-list.ts';
import type { TraceMatch } from '../../../shared/contract/tracing/trace-matches.ts';
import { gateway } from '../../api/client.ts';
import { seeksTexts } from '../../model/filter/filter-text.ts';

/** Traces in one request: a part of a screen, so that the first answer comes soon. */
const atOnce = 20;
const settledMs = 50;
const noIds: readonly string[][] = [];

/** Where the words of the filter are in the traces on screen, by trace id. */
export function useMatches(filter: string, visible: readonly ListedTrace[]): ReadonlyMap<string, TraceMatch> {
  const isSought = useMemo(() => seeksTexts(filter), [filter]);
  const ids = useAsked(filter, isSought ? visible : []);
  return useQueries({
    queries: ids.map((trace_ids) => ({
      queryKey: ['traces', 'matches', filter, trace_ids],
      queryFn: async () => (await gateway.traceList.matches({ query: { filter, trace_ids: trace_ids.join(',') } })).data,
      staleTime: Number.POSITIVE_INFINITY,
    })),
    combine: merged,
  });
}

/** The ids on screen in the order in which they came there, in parts: a part never changes, so that it is asked for once. */
function useAsked(filter: string, visible: readonly ListedTrace[]): readonly string[][] {
  const [asked, setAsked] = useState({ filter, ids: noIds });
  const ids = asked.filter === filter ? asked.ids : noIds;
  useEffect(() => {
    const known = new Set(ids.flat());
    const more = visible.filter(({ id }) => !known.has(id)).map(({ id }) => id);
    if (more.length === 0) return;
    // What is only scrolled past is not asked for.
    const timer = setTimeout(() => setAsked({ filter, ids: [...ids, ...partsOf(more)] }), settledMs);
    return () => clearTimeout(timer);
  }, [filter, ids, visible]);
  return ids;
}

const partsOf = (ids: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(ids.length / atOnce) }, (_, part) => ids.slice(part * atOnce, (part + 1) * atOnce));

const merged = (answers: readonly { data: TraceMatch[] | undefined }[]): ReadonlyMap<string, TraceMatch> =>
  new Map(answers.flatMap(({ data }) => data ?? []).map((match) => [match.trace_id, match]));
