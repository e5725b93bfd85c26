import { keepPreviousData, useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { GatewayError } from '../../../shared/client.ts';
import type { ExperimentRun } from '../../../shared/contract/evaluation/experiment-runs.ts';
import { gateway } from '../../api/client.ts';
import { useFollow } from '../../api/queries.ts';
import { useServed } from '../../api/served.ts';
import type { ExperimentsView } from './url.ts';

export const experimentPageSize = 50;
const always = () => true;

/** List of experiments, refetched when spans arrive, because an experiment grows while it runs. */
export function useExperiments({ prompt, dataset, page = 1 }: ExperimentsView) {
  const query = { limit: experimentPageSize, offset: (page - 1) * experimentPageSize, prompt_name: prompt, dataset_path: dataset };
  const queryKey = ['experiments', 'list', query];
  useFollow(queryKey, always);
  return useQuery({ queryKey, queryFn: () => gateway.experiments.list({ query }), placeholderData: keepPreviousData });
}

const experimentQuery = (id: string) => ({
  queryKey: ['experiments', 'one', id],
  queryFn: async () => (await gateway.experiments.get({ params: { experimentId: id } })).data,
});

export function useExperiment(id: string) {
  useFollow(['experiments', 'one', id], always);
  return useQuery(experimentQuery(id));
}

export const useRuns = (ids: readonly string[]) => useQueries({ queries: ids.map(experimentQuery) });

const runKey = (id: string) => ['experiments', 'run', id];
const busyMs = 1_000;

/** Progress of the run; null for an experiment that was not started in Glasshouse. */
export function useRun(id: string) {
  const queries = useQueryClient();
  const enabled = useServed()('experiment_runs');
  return useQuery({
    queryKey: runKey(id),
    enabled,
    queryFn: async (): Promise<ExperimentRun | null> => {
      const previous = queries.getQueryData<ExperimentRun | null>(runKey(id));
      const run = await gateway.experimentRuns.get({ params: { experimentId: id } }).catch((error: unknown) => {
        if (error instanceof GatewayError && error.status === 404) return null;
        throw error;
      });
      const hasJustEnded = previous?.status === 'running' && run?.data.status !== 'running';
      // The last scores arrive without a span, so the live stream does not announce them.
      if (hasJustEnded) for (const part of ['one', 'list']) void queries.invalidateQueries({ queryKey: ['experiments', part] });
      return run?.data ?? null;
    },
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? busyMs : false),
  });
}

export function useCancelRun(id: string) {
  const queries = useQueryClient();
  return useMutation({
    networkMode: 'always',
    mutationFn: () => gateway.experimentRuns.cancel({ params: { experimentId: id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: runKey(id) }),
  });
}
