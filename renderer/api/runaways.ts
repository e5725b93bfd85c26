/** Runs that may be running away, and what can be done about them. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ListedRunaway, RunawayThresholdChange } from '../../shared/contract/tracing/runaways.ts';
import { gateway } from './client.ts';
import { useMay } from './identity.ts';
import { refusalOf } from './refusal.ts';
import { useServed } from './served.ts';

export const runawaysKey = ['runaways'];
const none: readonly ListedRunaway[] = [];

/** Running ones first, then the newest that ended. */
export function useRunawayList() {
  const isServed = useServed()('runaways');
  const mayRead = useMay()('trace.read');
  return useQuery({
    queryKey: runawaysKey,
    queryFn: async () => (await gateway.runaways.list({ query: { limit: 200 } })).data,
    enabled: isServed && mayRead,
  });
}

/** As `useRunawayList`; none until they are loaded. */
export const useRunaways = (): readonly ListedRunaway[] => useRunawayList().data ?? none;

const thresholdsKey = ['runaway-thresholds'];

/** The thresholds that are not the default. */
export const useRunawayThresholds = () =>
  useQuery({ queryKey: thresholdsKey, queryFn: async () => (await gateway.runaways.thresholds()).data, staleTime: 0 });

export function useSetRunawayThreshold(onSet?: () => void) {
  const queries = useQueryClient();
  return useMutation({
    networkMode: 'always',
    mutationFn: (body: RunawayThresholdChange) => gateway.runaways.setThreshold({ body }),
    onSuccess: async () => {
      await Promise.all([runawaysKey, thresholdsKey].map((queryKey) => queries.invalidateQueries({ queryKey })));
      onSet?.();
    },
  });
}

/** Turns the rule that found a run off for its service. */
export function useNotARunaway() {
  const { isPending, error, mutate } = useSetRunawayThreshold();
  const isAllowed = useMay()('trace.write');
  const quiet = ({ service, rule }: ListedRunaway) => mutate({ service, rule, threshold: null });
  return { isAllowed, isBusy: isPending, problem: refusalOf(error).whole, quiet };
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
