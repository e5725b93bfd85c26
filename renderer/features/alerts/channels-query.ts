import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { RouteInput } from '../../../shared/contract/core/route.ts';
import type { Contract } from '../../../shared/contract/index.ts';
import { gateway } from '../../api/client.ts';

type Routes = Contract['alertChannels'];
type ChannelDraft = RouteInput<Routes['create']>['body'];
type ChannelChange = RouteInput<Routes['change']>['body'];

export const channelsKey = ['destinations', 'alert-channels'];
const at = (channelId: string) => ({ params: { channelId } });

export const useAlertChannels = () =>
  useQuery({ queryKey: channelsKey, queryFn: async () => (await gateway.alertChannels.list()).data, staleTime: 0 });

/** Whether the gateway sends e-mail; false while it is not known. */
export const useSendsMail = (): boolean => useAlertChannels().data?.kinds.includes('email') ?? false;

/** Alerts name channels, so they change with a channel that is removed. */
function useChange<T, R>(change: (input: T) => Promise<R>) {
  const queries = useQueryClient();
  const onSuccess = () => {
    void queries.invalidateQueries({ queryKey: ['alerts'] });
    return queries.invalidateQueries({ queryKey: channelsKey });
  };
  return useMutation({ networkMode: 'always', mutationFn: change, onSuccess });
}

export const useAddChannel = () => useChange((body: ChannelDraft) => gateway.alertChannels.create({ body }));

export const useChangeChannel = (channelId: string) =>
  useChange((body: ChannelChange) => gateway.alertChannels.change({ ...at(channelId), body }));

export const useRemoveChannel = () => useChange((channelId: string) => gateway.alertChannels.remove(at(channelId)));

export const useTestChannel = (channelId: string) =>
  useMutation({ networkMode: 'always', mutationFn: async () => (await gateway.alertChannels.test(at(channelId))).data });
