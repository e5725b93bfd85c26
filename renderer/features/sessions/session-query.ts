/** Session queries: turns page by page, and the messages of a turn when it becomes visible. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { ListedTrace } from '../../../shared/contract/tracing/trace-list.ts';
import { gateway } from '../../api/client.ts';
import { concerns, type Signal } from '../../api/live.ts';
import { useFollow } from '../../api/queries.ts';
import type { TurnSpans } from '../../model/trace/session-turns.ts';

const pageSize = 200;
const always = () => true;

/** Oldest first. */
export function useTurns(sessionId: string) {
  const queryKey = useMemo(() => ['sessions', 'turns', sessionId], [sessionId]);
  useFollow(queryKey, always);
  const query = useInfiniteQuery({
    queryKey,
    initialPageParam: 0,
    queryFn: async ({ pageParam: offset }) =>
      (await gateway.traceList.rows({ query: { session_id: sessionId, sort_order: 'asc', limit: pageSize, offset } })).data,
    getNextPageParam: (last, pages) => {
      const loaded = pages.reduce((sum, { rows }) => sum + rows.length, 0);
      return last.rows.length > 0 && loaded < last.total ? loaded : undefined;
    },
  });
  const turns = useMemo(() => query.data?.pages.flatMap(({ rows }) => rows), [query.data]);
  return { ...query, turns, total: query.data?.pages[0]?.total ?? 0 };
}

/** Totals of the session, as in the list of sessions. */
export function useSession(sessionId: string) {
  const queryKey = useMemo(() => ['sessions', 'one', sessionId], [sessionId]);
  useFollow(queryKey, always);
  return useQuery({
    queryKey,
    queryFn: async () => {
      const { data } = await gateway.sessions.list({ query: { search: sessionId, limit: 100 } });
      return data.find(({ id }) => id === sessionId) ?? null;
    },
  });
}

const gcTime = 60_000;

/** Spans with the input and the output of a turn. Texts beyond 8 KiB are previews; the trace page has the full texts. */
export function useSpeakers(turn: ListedTrace | undefined) {
  const traceId = turn?.id ?? '';
  const inputSpan = turn?.input_span ?? '';
  const outputSpan = turn?.output_span ?? '';
  const ids = [...new Set([inputSpan, outputSpan])].filter(Boolean).join();
  const queryKey = useMemo(() => ['trace', traceId, 'speakers', ids], [traceId, ids]);
  useFollow(
    queryKey,
    useCallback((signal: Signal) => concerns(signal, traceId), [traceId]),
  );
  const query = useQuery({
    queryKey,
    queryFn: async (): Promise<TurnSpans> => {
      const { data } = await gateway.traceViewer.previews({ params: { traceId }, query: { ids } });
      return { input: data.find(({ id }) => id === inputSpan), output: data.find(({ id }) => id === outputSpan) };
    },
    enabled: ids !== '',
    gcTime,
  });
  return { ...query, isEmpty: ids === '' };
}
