import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Reply, RouteInput } from '../../../shared/contract/core/route.ts';
import type { Contract } from '../../../shared/contract/index.ts';
import { gateway } from '../../api/client.ts';

type Routes = Contract['apiKeys'];
export type ApiKey = Reply<Routes['list']>['data'][number];
export type NewKey = RouteInput<Routes['create']>['body'];
export type CreatedKey = Reply<Routes['create']>['data'];

const shownMax = 1000;

export const useKeys = () =>
  useQuery({
    queryKey: ['keys'],
    queryFn: async () => (await gateway.apiKeys.list({ query: { limit: shownMax } })).data,
    staleTime: 0,
  });

/** Environments that a key can be restricted to. */
export const useEnvironmentNames = () =>
  useQuery({
    queryKey: ['environments', 'names'],
    queryFn: async () => (await gateway.environments.list({ query: { limit: shownMax } })).data,
    staleTime: 0,
  });

export function useCreateKey() {
  const queries = useQueryClient();
  return useMutation({
    networkMode: 'always',
    mutationFn: async (body: NewKey) => (await gateway.apiKeys.create({ body })).data,
    onSuccess: () => queries.invalidateQueries({ queryKey: ['keys'] }),
  });
}

export function useRevokeKey() {
  const queries = useQueryClient();
  return useMutation({
    networkMode: 'always',
    mutationFn: (apiKeyId: string) => gateway.apiKeys.revoke({ params: { apiKeyId } }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['keys'] }),
  });
}
