/** What the scores of a name may be. One query, which forms and lists share, and which each visit reads again: other people change them. */
import { useQuery } from '@tanstack/react-query';
import { gateway } from './client.ts';

export const scoreConfigsKey = ['score-configs'];

/** @param withArchived those that are no longer offered, which queues may still ask for */
export const useScoreConfigs = ({ isEnabled = true, withArchived = false } = {}) =>
  useQuery({
    queryKey: scoreConfigsKey,
    queryFn: async () => (await gateway.scoreConfigs.list({ query: { limit: 1000, include_archived: 'true' } })).data,
    select: (configs) => (withArchived ? configs : configs.filter(({ archived }) => !archived)),
    enabled: isEnabled,
    staleTime: 0,
    retry: false,
  });
