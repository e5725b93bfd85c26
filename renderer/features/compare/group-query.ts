import { useQuery } from '@tanstack/react-query';
import { gateway } from '../../api/client.ts';
import type { CompareView } from './url.ts';

/** Traces of a group that is chosen by a filter. */
const runsMax = 30;

/** What narrows a comparison, and nothing of how it is shown. */
export function groupsQueryOf({
  a: _a,
  b: _b,
  step: _step,
  equal: _equal,
  fact: _fact,
  a_filter: a,
  b_filter: b,
  ...narrowing
}: CompareView) {
  return { ...narrowing, ...(a === undefined ? {} : { a }), ...(b === undefined ? {} : { b }), limit: runsMax };
}

export function useGroups(view: CompareView) {
  const query = groupsQueryOf(view);
  return useQuery({
    queryKey: ['compare', 'groups', query],
    queryFn: async () => (await gateway.groupComparisons.find({ query })).data,
    gcTime: 60_000,
  });
}
