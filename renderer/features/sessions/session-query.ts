/** Session queries: turns page by page, and the messages of a turn when it becomes visible. */
import { useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { ListedTrace } from '../../../shared/contract/tracing/trace-list.ts';
import { gateway } from '../../api/client.ts';
import { concerns, type Signal } from '../../api/live.ts';
import { useFollow } from '../../api/queries.ts';
import { readPayloads, withPayloads } from '../../api/span-io.ts';
import { type TurnSpans, turnTalk } from '../../model/trace/session-turns.ts';

const pageSize = 200;
const always = () => true;

const pageOf = async (sessionId: string, offset: number) =>
  (await gateway.traceList.rows({ query: { session_id: sessionId, sort_order: 'asc', limit: pageSize, offset } })).data;

/** Ids of the traces of all turns, oldest first. */
export async function readAllTurnIds(sessionId: string): Promise<string[]> {
  const ids: string[] = [];
  for (let total = 1; ids.length < total; ) {
    const page = await pageOf(sessionId, ids.length);
    ids.push(...page.rows.map(({ id }) => id));
    total = page.rows.length === 0 ? 0 : page.total;
  }
  return ids;
}

/** Oldest first. */
export function useTurns(sessionId: string) {
  const queryKey = useMemo(() => ['sessions', 'turns', sessionId], [sessionId]);
  useFollow(queryKey, always);
  const query = useInfiniteQuery({
    queryKey,
    initialPageParam: 0,
    queryFn: ({ pageParam: offset }) => pageOf(sessionId, offset),
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

/** The spans with the input and the output of a turn, with whole texts up to 4,000,000 characters. */
async function readSpeakers(traceId: string, inputSpan: string, outputSpan: string): Promise<TurnSpans> {
  const ids = [...new Set([inputSpan, outputSpan])].filter(Boolean).join();
  const { data } = await gateway.traceViewer.previews({ params: { traceId }, query: { ids } });
  const whole = await Promise.all(
    data.map(async (span) => {
      if (!span.truncated_fields?.length) return span;
      const payloads = await readPayloads(traceId, span.id);
      return { ...withPayloads(span, payloads), truncated_fields: payloads.cuts.map(({ path }) => String(path[0])) };
    }),
  );
  return { input: whole.find(({ id }) => id === inputSpan), output: whole.find(({ id }) => id === outputSpan) };
}

export function speakersOf(turn: ListedTrace | undefined) {
  const [traceId, inputSpan, outputSpan] = [turn?.id ?? '', turn?.input_span ?? '', turn?.output_span ?? ''];
  const isEmpty = inputSpan === '' && outputSpan === '';
  return {
    queryKey: ['trace', traceId, 'speakers', inputSpan, outputSpan],
    queryFn: () => readSpeakers(traceId, inputSpan, outputSpan),
    enabled: !isEmpty,
    gcTime,
    isEmpty,
  };
}

export function useSpeakers(turn: ListedTrace | undefined) {
  const { isEmpty, ...options } = speakersOf(turn);
  const traceId = turn?.id ?? '';
  useFollow(
    options.queryKey,
    useCallback((signal: Signal) => concerns(signal, traceId), [traceId]),
  );
  return { ...useQuery(options), isEmpty };
}

/** Comparing the prompts of more turns would load too much at once. */
const comparedMax = 30;

/** Number of turns with the same system prompt when no turn has another one; 0 until that is known. */
const countSame = (results: readonly { data?: TurnSpans | undefined }[]): number => {
  const prompts = results.map(({ data }) => data && turnTalk(data, undefined).system);
  const found = new Set(prompts);
  return found.size === 1 && !found.has(undefined) && !found.has('') ? prompts.length : 0;
};

/** Whether the system prompt of the session is the same in all turns that have a question or an answer, and how many those are. */
export function useSamePrompt(turns: readonly ListedTrace[], total: number): { turns: number; areAll: boolean } {
  const isCompared = total <= comparedMax && turns.length === total;
  const queries = isCompared ? turns.map(speakersOf).filter(({ isEmpty }) => !isEmpty) : [];
  const same = useQueries({ queries: queries.map((query) => ({ ...query, refetchOnMount: false })), combine: countSame });
  return { turns: same, areAll: same === total };
}
