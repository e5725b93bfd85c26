import { useQuery } from '@tanstack/react-query';
import { ownZone } from '../../../shared/own-zone.ts';
import { gateway } from '../../api/client.ts';
import { useFollow } from '../../api/queries.ts';
import { edgesOf } from './days.ts';
import type { Range } from './url.ts';

const always = () => true;

/** What was spent on the last days, with their edges. */
export function useSpending(range: Range) {
  const queryKey = ['spending', range];
  useFollow(queryKey, always);
  return useQuery({
    queryKey,
    queryFn: async () => {
      const edges = edgesOf(Number.parseInt(range, 10), new Date());
      const query = { from: new Date(edges[0] ?? 0).toISOString(), time_zone: ownZone() };
      return { range, edges, spending: (await gateway.spending.get({ query })).data };
    },
    placeholderData: (before) => before,
  });
}
