import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { NewScoreConfig, ScoreConfig } from '../../../shared/contract/evaluation/score-configs.ts';
import { gateway } from '../../api/client.ts';
import { scoreConfigsKey } from '../../api/score-configs.ts';

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
    onSuccess: () => queries.invalidateQueries({ queryKey: scoreConfigsKey }),
  });
}
