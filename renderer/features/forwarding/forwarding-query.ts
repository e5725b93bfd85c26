import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { DestinationChange, NewDestination } from '../../../shared/contract/operations/destination.ts';
import { gateway } from '../../api/client.ts';
import { destinationsKey } from '../../api/forwarding.ts';

const at = (name: string) => ({ params: { name } });

/** Mutation after which the forwarding state is fetched again, even if it failed. */
function useChange<T, R>(change: (input: T) => Promise<R>) {
  const queries = useQueryClient();
  return useMutation({
    networkMode: 'always',
    mutationFn: change,
    onSettled: () => queries.invalidateQueries({ queryKey: ['forwarding'] }),
  });
}

export const useCreate = () => useChange((body: NewDestination) => gateway.forwarding.create({ body }));
export const useChangeOf = (name: string) => useChange((body: DestinationChange) => gateway.forwarding.change({ ...at(name), body }));
export const useRemove = (name: string) => useChange((_: null) => gateway.forwarding.remove(at(name)));
export const useRetry = (name: string) => useChange((_: null) => gateway.forwarding.retry(at(name)));
export const useRetryDeadLetters = (name: string) => useChange((_: null) => gateway.forwarding.retryDeadLetters(at(name)));

const deadLettersShown = 100;

export const useDeadLetters = (name: string) =>
  useQuery({
    queryKey: [...destinationsKey, name, 'dead_letter'],
    queryFn: () => gateway.forwarding.deadLetters({ ...at(name), query: { limit: deadLettersShown } }),
    staleTime: 0,
  });
