import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import type { deployment } from '../../../shared/contract/projects/deployments.ts';
import type { environment, environmentDetail } from '../../../shared/contract/projects/environments.ts';
import { gateway } from '../../api/client.ts';
import { type DeploymentsView, deploymentsQuery } from './url.ts';

export type Environment = z.output<typeof environment>;
export type EnvironmentDetail = z.output<typeof environmentDetail>;
export type Deployment = z.output<typeof deployment>;

const shownMax = 1000;
/** Intervals of refetching: a deployment takes seconds to minutes, and other people deploy too. */
const busyMs = 1000;
const idleMs = 15_000;

const isRunning = ({ deployment_status }: Deployment) => deployment_status === 'running';
const refetchInterval = (deployments: readonly Deployment[] | undefined) => (deployments?.some(isRunning) ? busyMs : idleMs);

export const useEnvironments = () =>
  useQuery({
    queryKey: ['environments', 'list'],
    queryFn: async () => (await gateway.environments.list({ query: { limit: shownMax } })).data,
    staleTime: 0,
    refetchInterval: idleMs,
  });

export const useEnvironment = (id: string) =>
  useQuery({
    queryKey: ['environments', id],
    queryFn: async () => (await gateway.environments.get({ params: { id } })).data,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.in_flight_saga_id ? busyMs : idleMs),
  });

export const useDeploymentsOf = (id: string) =>
  useQuery({
    queryKey: ['environments', id, 'deployments'],
    queryFn: async () => (await gateway.environments.deployments({ params: { id }, query: { limit: shownMax } })).data,
    staleTime: 0,
    refetchInterval: ({ state }) => refetchInterval(state.data),
  });

export const useDeployments = (view: DeploymentsView) =>
  useQuery({
    queryKey: ['environments', 'deployments', view],
    queryFn: () => gateway.deployments.list({ query: deploymentsQuery(view) }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: ({ state }) => refetchInterval(state.data?.data),
  });

function useChange<T, R>(change: (input: T) => Promise<R>) {
  const queries = useQueryClient();
  return useMutation({
    networkMode: 'always',
    mutationFn: change,
    onSettled: () => queries.invalidateQueries({ queryKey: ['environments'] }),
  });
}

export const useAddEnvironment = () => useChange(async (name: string) => (await gateway.environments.create({ body: { name } })).data);

/** Only the list is fetched again, because the deleted environment no longer exists. */
export function useRemoveEnvironment() {
  const queries = useQueryClient();
  return useMutation({
    networkMode: 'always',
    mutationFn: (id: string) => gateway.environments.remove({ params: { id } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['environments', 'list'] }),
  });
}

export const usePromote = (id: string) =>
  useChange((body: { source_env_id: string; note?: string }) => gateway.environments.promote({ params: { id }, body }));

export const useRollback = (id: string) =>
  useChange((body: { target_version: number; note?: string }) => gateway.environments.rollback({ params: { id }, body }));
