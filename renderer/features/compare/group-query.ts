import { useQuery } from '@tanstack/react-query';
import { gateway } from '../../api/client.ts';
import type { CompareView } from './url.ts';

/** Traces of a group that is chosen by a filter. */
const runsMax = 30;

export function useGroups({ a_ids, b_ids, a_filter, b_filter, from, to, environment }: CompareView) {
  const query = Object.fromEntries(
    Object.entries({ a_ids, b_ids, a: a_filter, b: b_filter, from, to, environment }).filter(([, value]) => value !== undefined),
  );
  return useQuery({
    queryKey: ['compare', 'groups', query],
    queryFn: async () => (await gateway.groupComparisons.find({ query: { ...query, limit: runsMax } })).data,
    gcTime: 60_000,
  });
}
