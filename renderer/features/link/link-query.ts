import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Reply } from '../../../shared/contract/core/route.ts';
import type { Contract } from '../../../shared/contract/index.ts';
import { gateway, gatewayForApp } from '../../api/client.ts';

export type WaitingDevice = Reply<Contract['deviceSignIn']['find']>['data'];

const shownMax = 1000;

/** The machine that waits with this code. Fetched again on each visit, because it may have been approved or denied meanwhile. */
export const useWaitingDevice = (code: string) =>
  useQuery({
    queryKey: ['device', code],
    queryFn: async () => (await gateway.deviceSignIn.find({ body: { user_code: code } })).data,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });

export const useEnvironmentsOf = (appId: string) =>
  useQuery({
    queryKey: ['environments', 'of', appId],
    queryFn: async () => (await gatewayForApp(appId).environments.list({ query: { limit: shownMax } })).data,
    staleTime: 0,
  });

interface Approval {
  user_code: string;
  environment_name: string;
}

export function useApprove(appId: string) {
  const queries = useQueryClient();
  return useMutation({
    networkMode: 'always',
    mutationFn: (body: Approval) => gatewayForApp(appId).deviceSignIn.approve({ body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['keys'] }),
  });
}

export const useDeny = () =>
  useMutation({ networkMode: 'always', mutationFn: (user_code: string) => gateway.deviceSignIn.deny({ body: { user_code } }) });
