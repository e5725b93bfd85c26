/** Runs that may be running away, and what can be done about them. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { ListedRunaway } from '../../shared/contract/tracing/runaways.ts';
import { gateway } from './client.ts';
import { useRunawayChanges } from './gateway-live.ts';
import { useMay } from './identity.ts';
import { refusalOf } from './refusal.ts';
import { useServed } from './served.ts';

const queryKey = ['runaways'];
const none: readonly ListedRunaway[] = [];

/** Running ones first, then the newest that ended. Follows the gateway. */
export function useRunaways(): readonly ListedRunaway[] {
  const isServed = useServed()('runaways');
  const mayRead = useMay()('trace.read');
  const { data } = useQuery({
    queryKey,
    queryFn: async () => (await gateway.runaways.list({ query: { limit: 200 } })).data,
    enabled: isServed && mayRead,
  });
  return data ?? none;
}

/** Fetches the runaways again when they have changed. Once on a page. */
export function useFollowRunaways(): void {
  const queries = useQueryClient();
  useRunawayChanges(useCallback(() => void queries.invalidateQueries({ queryKey }), [queries]));
}

/** Turns the rule that found a run off for its service. */
export function useNotARunaway() {
  const queries = useQueryClient();
  const quiet = useMutation({
    networkMode: 'always',
    mutationFn: ({ service, rule }: ListedRunaway) => gateway.runaways.setThreshold({ body: { service, rule, threshold: null } }),
    onSuccess: () => queries.invalidateQueries({ queryKey }),
  });
  const isAllowed = useMay()('trace.write');
  return { isAllowed, isBusy: quiet.isPending, problem: refusalOf(quiet.error).whole, quiet: quiet.mutate };
}

/** Asks the program of a run to end. */
export function useStopProgram(onAsked: () => void) {
  const stop = useMutation({
    networkMode: 'always',
    mutationFn: async (runId: string) => {
      const { programs } = (await gateway.runaways.stop({ params: { runId } })).data;
      if (programs === 0) throw new Error('The program is not connected any more: it has ended, or the gateway was started again.');
    },
    onSuccess: onAsked,
  });
  return {
    isBusy: stop.isPending,
    problem: stop.error === null ? null : (refusalOf(stop.error).whole ?? stop.error.message),
    stop: stop.mutate,
  };
}
