import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { gateway } from '../../api/client.ts';

const at = (environmentId: string) => ({ params: { environmentId } });

export const useWebhook = (environmentId: string) =>
  useQuery({
    queryKey: ['destinations', environmentId],
    queryFn: async () => (await gateway.alertDestinations.webhook(at(environmentId))).data,
    staleTime: 0,
  });

export const useSlack = () =>
  useQuery({ queryKey: ['destinations', 'slack'], queryFn: async () => (await gateway.alertDestinations.slack()).data, staleTime: 0 });

/** Channels visible to the saved token. */
export const useChannels = (isConnected: boolean) =>
  useQuery({
    queryKey: ['destinations', 'channels'],
    queryFn: async () => (await gateway.alerts.slackChannels()).data,
    enabled: isConnected,
    staleTime: 0,
    retry: false,
  });

function useChange<T, R>(change: (input: T) => Promise<R>) {
  const queries = useQueryClient();
  return useMutation({
    networkMode: 'always',
    mutationFn: change,
    onSuccess: () => queries.invalidateQueries({ queryKey: ['destinations'] }),
  });
}

export const useSaveWebhook = (environmentId: string) =>
  useChange((body: { url: string; secret?: string }) => gateway.alertDestinations.putWebhook({ ...at(environmentId), body }));

export const useRemoveWebhook = (environmentId: string) =>
  useChange((_: null) => gateway.alertDestinations.removeWebhook(at(environmentId)));

export const useSaveSlack = () =>
  useChange((body: { token?: string; channel_id: string | null }) => gateway.alertDestinations.putSlack({ body }));

export const useRemoveSlack = () => useChange((_: null) => gateway.alertDestinations.removeSlack());

export const useTestWebhook = (environmentId: string) =>
  useMutation({ networkMode: 'always', mutationFn: async () => (await gateway.alertDestinations.testWebhook(at(environmentId))).data });

export const useTestSlack = () =>
  useMutation({ networkMode: 'always', mutationFn: async () => (await gateway.alertDestinations.testSlack()).data });
