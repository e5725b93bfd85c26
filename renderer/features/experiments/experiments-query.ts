import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { gateway } from '../../api/client.ts';
import { useFollow } from '../../api/queries.ts';
import type { ExperimentsView } from './url.ts';

export const experimentPageSize = 50;
const always = () => true;

/** The runs as the gateway has them now: an experiment grows while it runs. */
export function useExperiments({ prompt, dataset, page = 1 }: ExperimentsView) {
  const query = { limit: experimentPageSize, offset: (page - 1) * experimentPageSize, prompt_name: prompt, dataset_path: dataset };
  const queryKey = ['experiments', 'list', query];
  useFollow(queryKey, always);
  return useQuery({ queryKey, queryFn: () => gateway.experiments.list({ query }), placeholderData: keepPreviousData });
}

const one = (id: string) => ({
  queryKey: ['experiments', 'one', id],
  queryFn: async () => (await gateway.experiments.get({ params: { experimentId: id } })).data,
});

export function useExperiment(id: string) {
  useFollow(['experiments', 'one', id], always);
  return useQuery(one(id));
}

export const useRuns = (ids: readonly string[]) => useQueries({ queries: ids.map(one) });
