/** Defaults of all queries, and their updates from the live stream. */
import { type FetchQueryOptions, QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo } from 'react';
import { GatewayError } from '../../shared/client.ts';
import { listenToGateway, useRequests, useSignal } from './gateway-live.ts';
import { concerns, type Signal } from './live.ts';
import { Paced } from './paced.ts';

const retriesMax = 2;

/** Refusals are not retried. Unreachable gateways are asked again when the live stream reconnects. */
const isWorthAnother = (failures: number, error: unknown) =>
  failures < retriesMax && error instanceof GatewayError && error.status >= 500 && error.status !== 501;

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // The gateway is on this machine, so the browser's online state is irrelevant.
      networkMode: 'always',
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 5 * 60_000,
      retry: isWorthAnother,
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
export async function askAhead<T>(query: FetchQueryOptions<T, Error, T, string[]>, isMine: (signal: Signal) => boolean): Promise<void> {
  let isOvertaken = false;
  const stop = listenToGateway((signal) => {
    isOvertaken ||= isMine(signal);
  });
  await queries.prefetchQuery(query);
  stop();
  if (isOvertaken) await queries.invalidateQueries({ queryKey: query.queryKey, exact: true, refetchType: 'none' });
}

/**
 * Marks answers stale that a commit may have changed, for screens opened later. Open screens follow at their own pace (useFollow). The first
 * part of a key is its kind; the second part of `trace` is the id.
 */
export function markStale(signal: Signal): void {
  void queries.invalidateQueries({
    refetchType: 'none',
    predicate: ({ queryKey: [what, id] }) => what !== 'trace' || concerns(signal, String(id)),
  });
}

/** Refetches a query at a limited pace. The previous data stays visible meanwhile. */
function usePaced(queryKey: QueryKey): Paced {
  const queries = useQueryClient();
  const name = JSON.stringify(queryKey);
  const paced = useMemo(() => {
    const mine = { queryKey: JSON.parse(name) as QueryKey, type: 'active' } as const;
    return new Paced(async () => {
      // A running request may have read the state before the change, so it finishes and is repeated.
      await queries.refetchQueries({ ...mine, fetchStatus: 'fetching' }, { cancelRefetch: false });
      await queries.refetchQueries(mine, { cancelRefetch: false });
    });
  }, [queries, name]);
  useEffect(() => () => paced.stop(), [paced]);
  return paced;
}

/** Asks the query again, in measure, whenever a commit concerns it. */
export function useFollow(queryKey: QueryKey, isMine: (signal: Signal) => boolean): void {
  const paced = usePaced(queryKey);
  useSignal(
    useCallback(
      (signal) => {
        if (isMine(signal)) paced.want();
      },
      [paced, isMine],
    ),
  );
}

/** Asks the query again, in measure, whenever requests were noted in the ingest log. */
export function useFollowRequests(queryKey: QueryKey): void {
  const paced = usePaced(queryKey);
  useRequests(useCallback(() => paced.want(), [paced]));
}
