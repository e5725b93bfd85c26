import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { gateway } from '../../api/client.ts';

/** The tags of traces, each with how many have it. */
export const useTags = (traceIds: readonly string[]) =>
  useQuery({
    queryKey: ['tags', traceIds],
    queryFn: async () => (await gateway.traceTags.find({ query: { trace_ids: traceIds.join() } })).data,
  });

const knownMax = 50;

/** Tags of stored traces that begin with the text, at most 50. Those of the text before stay until then, and while it is undefined. */
export const useKnownTags = (prefix: string | undefined) =>
  useQuery({
    queryKey: ['known-tags', prefix],
    enabled: prefix !== undefined,
    placeholderData: keepPreviousData,
    queryFn: async () => (await gateway.traceList.values({ query: { field: 'tags', prefix, limit: knownMax } })).data,
  });

/** Lists, facets, sessions and statistics have tags, and are filtered by them. */
const kindsWithTags = new Set(['tags', 'known-tags', 'traces', 'sessions', 'activity', 'activity-errors']);

export function useChangeTags(traceIds: readonly string[]) {
  const queries = useQueryClient();
  return useMutation({
    networkMode: 'always',
    // One after the other, in the order in which they were made.
    scope: { id: 'tags' },
    mutationFn: (change: { add?: string[]; remove?: string[] }) =>
      gateway.traceTags.change({ body: { trace_ids: [...traceIds], ...change } }),
    onSuccess: () =>
      queries.invalidateQueries({
        predicate: ({ queryKey: [kind, id, part] }) =>
          kindsWithTags.has(String(kind)) || (kind === 'trace' && traceIds.includes(String(id)) && part === 'outline'),
      }),
  });
}
