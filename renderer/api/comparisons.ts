import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { gateway } from './client.ts';
import { concerns, type Signal } from './live.ts';
import { useFollow } from './queries.ts';

/** Follows both runs while one of them goes on. */
export function useComparison(a: string, b: string) {
  const queryKey = ['compare', a, b];
  useFollow(
    queryKey,
    useCallback((signal: Signal) => concerns(signal, a) || concerns(signal, b), [a, b]),
  );
  return useQuery({ queryKey, queryFn: async () => (await gateway.comparisons.find({ query: { a, b } })).data, gcTime: 60_000 });
}
