import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { gateway } from '../../api/client.ts';

/** The tags of traces, each with how many have it. */
export const useTags = (traceIds: readonly string[]) =>
  useQuery({
    queryKey: ['tags', traceIds],
    queryFn: async () => (await gateway.traceTags.find({ query: { trace_ids: traceIds.join() } })).data,
  });

const knownMax = 50;

/** Tags of stored traces that begin with the text. */
export const useKnownTags = (prefix: string) =>
  useQuery({
    queryKey: ['known-tags', prefix],
    queryFn: async () => (await gateway.traceList.values({ query: { field: 'tags', prefix, limit: knownMax } })).data,
  });

export function useChangeTags(traceIds: readonly string[]) {
  const queries = useQueryClient();
  return useMutation({
    networkMode: 'always',
    mutationFn: (change: { add?: string[]; remove?: string[] }) =>
      gateway.traceTags.change({ body: { trace_ids: [...traceIds], ...change } }),
    // Lists, facets, sessions and statistics have tags.
    onSuccess: () => queries.invalidateQueries(),
  });
}
