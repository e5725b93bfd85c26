import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Reply } from '../../../shared/contract/core/route.ts';
import type { Contract } from '../../../shared/contract/index.ts';
import { gateway } from '../../api/client.ts';

type Changed = Reply<Contract['alertAttention']['mute']>['data'];

function useChange<T>(change: (value: T) => Promise<{ data: Changed }>) {
  const queries = useQueryClient();
  return useMutation({
    networkMode: 'always',
    mutationFn: async (value: T) => (await change(value)).data,
    onSuccess: (alert) => {
      queries.setQueryData(['alerts', alert.id], alert);
      return queries.invalidateQueries({ queryKey: ['alerts', 'list'] });
    },
  });
}

/** @returns a mutation with the end of the mute; null to end it now */
export const useMute = (alertId: string) =>
  useChange((until: string | null) => {
    const params = { alertId };
    return until === null ? gateway.alertAttention.unmute({ params }) : gateway.alertAttention.mute({ params, body: { until } });
  });

export const useAcknowledge = (alertId: string) => useChange<null>(() => gateway.alertAttention.acknowledge({ params: { alertId } }));
