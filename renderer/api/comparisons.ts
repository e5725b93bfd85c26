import { useQuery } from '@tanstack/react-query';
import { gateway } from './client.ts';
import { useFollow } from './queries.ts';

const always = () => true;

/** Follows both runs while one of them goes on. */
export function useComparison(a: string, b: string) {
  const queryKey = ['compare', a, b];
  useFollow(queryKey, always);
  return useQuery({ queryKey, queryFn: async () => (await gateway.comparisons.find({ query: { a, b } })).data, gcTime: 60_000 });
}
