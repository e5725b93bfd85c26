/** Defaults of all queries, and their updates from the live stream. */
import { type FetchQueryOptions, QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo } from 'react';
import { GatewayError } from '../../shared/client.ts';
import { listenToGateway, useIngestRequests, useRunawayChanges, useSignal } from './gateway-live.ts';
import { concerns, type Signal } from './live.ts';
import { RefreshPacer } from './refresh-pacer.ts';

const retriesMax = 2;

/** Refusals are not retried. Queries to an unreachable gateway are repeated when the live stream reconnects. */
const shouldRetry = (failures: number, error: unknown) =>
  failures < retriesMax && error instanceof GatewayError && error.status >= 500 && error.status !== 501;

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // The gateway is on this machine, so the browser's online state is irrelevant.
      networkMode: 'always',
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 5 * 60_000,
      retry: shouldRetry,
      retryDelay: (attempt) => 300 * 2 ** attempt,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    },
  },
});

/**
 * Prefetches the data of a screen while its code is loading. The query has no observer yet: a later commit marks it stale, and the screen
 * fetches again. The screen handles failures by fetching again.
 */
export async function prefetchQuery<T>(
  query: FetchQueryOptions<T, Error, T, string[]>,
  concernsQuery: (signal: Signal) => boolean,
): Promise<void> {
  let isOutdated = false;
  const stop = listenToGateway((signal) => {
    isOutdated ||= concernsQuery(signal);
  });
  await queries.prefetchQuery(query);
  stop();
  if (isOutdated) await queries.invalidateQueries({ queryKey: query.queryKey, exact: true, refetchType: 'none' });
}

/**
 * Marks data stale that a commit may have changed, for screens opened later. Open screens refetch at their own rate (useFollow). The first
 * part of a key is its kind; the second part of `trace` is the id.
 */
export function markStale(signal: Signal): void {
  void queries.invalidateQueries({
    refetchType: 'none',
    predicate: ({ queryKey: [kind, id] }) => kind !== 'trace' || concerns(signal, String(id)),
  });
}

/** Refetches a query at a limited rate. The previous data stays visible meanwhile. */
function useRefreshPacer(queryKey: QueryKey): RefreshPacer {
  const queries = useQueryClient();
  const name = JSON.stringify(queryKey);
  const pacer = useMemo(() => {
    const activeQuery = { queryKey: JSON.parse(name) as QueryKey, type: 'active' } as const;
    return new RefreshPacer(async () => {
      // A running request may have read the state before the change, so it finishes and is repeated.
      await queries.refetchQueries({ ...activeQuery, fetchStatus: 'fetching' }, { cancelRefetch: false });
      await queries.refetchQueries(activeQuery, { cancelRefetch: false });
    });
  }, [queries, name]);
  useEffect(() => () => pacer.stop(), [pacer]);
  return pacer;
}

/** Refetches the query at a limited rate whenever a commit concerns it. */
export function useFollow(queryKey: QueryKey, concernsQuery: (signal: Signal) => boolean): void {
  const pacer = useRefreshPacer(queryKey);
  useSignal(
    useCallback(
      (signal) => {
        if (concernsQuery(signal)) pacer.request();
      },
      [pacer, concernsQuery],
    ),
  );
}

/** Refetches the query at a limited rate whenever requests were added to the ingest log. */
export function useFollowRequests(queryKey: QueryKey): void {
  const pacer = useRefreshPacer(queryKey);
  useIngestRequests(useCallback(() => pacer.request(), [pacer]));
}

/** Refetches the query at a limited rate whenever runaways have changed. */
export function useFollowRunaways(queryKey: QueryKey): void {
  const pacer = useRefreshPacer(queryKey);
  useRunawayChanges(useCallback(() => pacer.request(), [pacer]));
}
