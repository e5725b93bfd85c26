/** Session queries: turns page by page, and their messages when they become visible. */
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
      const known = pages.reduce((sum, { rows }) => sum + rows.length, 0);
      return last.rows.length > 0 && known < last.total ? known : undefined;
    },
  });
  const turns = useMemo(() => query.data?.pages.flatMap(({ rows }) => rows), [query.data]);
  return { ...query, turns, total: query.data?.pages[0]?.total ?? 0 };
}

/** The session's own numbers, as the list of sessions has them. */
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

/** Texts beyond 8 KiB are previews; the trace has the whole. */
export function useSpeakers(turn: ListedTrace | undefined) {
  const traceId = turn?.id ?? '';
  const asks = turn?.input_span ?? '';
  const answers = turn?.output_span ?? '';
  const ids = [...new Set([asks, answers])].filter(Boolean).join();
  const queryKey = useMemo(() => ['trace', traceId, 'speakers', ids], [traceId, ids]);
  useFollow(
    queryKey,
    useCallback((signal: Signal) => concerns(signal, traceId), [traceId]),
  );
  const query = useQuery({
    queryKey,
    queryFn: async (): Promise<TurnSpans> => {
      const { data } = await gateway.traceViewer.previews({ params: { traceId }, query: { ids } });
      return { input: data.find(({ id }) => id === asks), output: data.find(({ id }) => id === answers) };
    },
    enabled: ids !== '',
    gcTime,
  });
  return { ...query, isSilent: ids === '' };
}
