/** What every query of the page has in common, and how one follows the live stream. */
import { type FetchQueryOptions, QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo } from 'react';
import { GatewayError } from '../../shared/client.ts';
import { listenToGateway, useRequests, useSignal } from './gateway-live.ts';
import { concerns, type Signal } from './live.ts';
import { Paced } from './paced.ts';

const retriesMax = 2;

/** A refusal stays one. A gateway that cannot be reached is asked again when the live stream is back. */
const isWorthAnother = (failures: number, error: unknown) =>
  failures < retriesMax && error instanceof GatewayError && error.status >= 500 && error.status !== 501;

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // The gateway is on this machine: whether the browser thinks it is online says nothing.
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
 * Asks for what a screen will show while its code is still on the way. Nobody follows the query yet: an answer that a commit has
 * overtaken is marked old, and the screen asks again. Failures are the screen's to meet: it asks anew.
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
 * What a commit may have changed is old from now on: a screen that is opened later asks again. Screens that are open
 * follow by themselves, in measure (useFollow). The first word of a key is what it holds; the second of `trace` its id.
 */
export function markStale(signal: Signal): void {
  void queries.invalidateQueries({
    refetchType: 'none',
    predicate: ({ queryKey: [what, id] }) => what !== 'trace' || concerns(signal, String(id)),
  });
}

/** A way to ask the query again in measure. What is on screen stays until the answer is there. */
function usePaced(queryKey: QueryKey): Paced {
  const queries = useQueryClient();
  const name = JSON.stringify(queryKey);
  const paced = useMemo(() => {
    const mine = { queryKey: JSON.parse(name) as QueryKey, type: 'active' } as const;
    return new Paced(async () => {
      // What is under way may have been read before the change: it is let finish, and then asked again like the rest.
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
