import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { NewScoreConfig, ScoreConfig } from '../../../shared/contract/evaluation/score-configs.ts';
import { gateway } from '../../api/client.ts';

const queryKey = ['score-configs'];

/** All of them, archived ones too. */
export const useScoreConfigs = () =>
  useQuery({
    queryKey: [...queryKey, 'all'],
    queryFn: async () => (await gateway.scoreConfigs.list({ query: { limit: 1000, include_archived: 'true' } })).data,
    staleTime: 0,
  });

/** Creates a configuration, or replaces the one of its name. */
export function useSaveScoreConfig() {
  const queries = useQueryClient();
  return useMutation({
    networkMode: 'always',
    mutationFn: async ({
      config,
      isNew,
      archived,
    }: {
      config: NewScoreConfig;
      isNew: boolean;
      archived: boolean;
    }): Promise<ScoreConfig> => {
      if (isNew) return (await gateway.scoreConfigChanges.create({ body: config })).data;
      const { name, ...definition } = config;
      return (await gateway.scoreConfigChanges.replace({ params: { name }, body: { ...definition, archived } })).data;
    },
    onSuccess: () => queries.invalidateQueries({ queryKey }),
  });
}
