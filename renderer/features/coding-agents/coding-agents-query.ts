import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import type { workerEnvironment } from '../../../shared/contract/operations/worker-environments.ts';
import type { workerRun } from '../../../shared/contract/operations/worker-runs.ts';
import { gateway } from '../../api/client.ts';
import { type CodingAgentsView, codingAgentsQuery } from './url.ts';
import { isOpen } from './words.ts';

export type Run = z.output<typeof workerRun>;
export type Workspace = z.output<typeof workerEnvironment>;

const turnsMax = 1000;
/** Intervals of refetching: agents print while they work, and other people start runs too. */
const busyMs = 1500;
const idleMs = 5000;

const refetchInterval = (runs: readonly Run[] | undefined) => (runs?.some(isOpen) ? busyMs : idleMs);

export const useWorkspaces = (view: CodingAgentsView, isShown: boolean) =>
  useQuery({
    queryKey: ['coding-agents', 'workspaces', view],
    queryFn: () => gateway.workerEnvironments.list({ query: codingAgentsQuery(view) }),
    enabled: isShown,
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: idleMs,
  });

export const useRuns = (view: CodingAgentsView, isShown: boolean) =>
  useQuery({
    queryKey: ['coding-agents', 'runs', view],
    queryFn: () => gateway.workerRuns.list({ query: codingAgentsQuery(view) }),
    enabled: isShown,
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: ({ state }) => refetchInterval(state.data?.data),
  });

export const useWorkspace = (envId: string) =>
  useQuery({
    queryKey: ['coding-agents', 'workspace', envId],
    queryFn: async () => (await gateway.workerEnvironments.get({ params: { envId } })).data,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.status === 'busy' ? busyMs : idleMs),
  });

export const useTurns = (envId: string) =>
  useQuery({
    queryKey: ['coding-agents', 'workspace', envId, 'turns'],
    queryFn: async () => (await gateway.workerEnvironments.turns({ params: { envId }, query: { limit: turnsMax } })).data,
    staleTime: 0,
    refetchInterval: ({ state }) => refetchInterval(state.data),
  });

export const useRun = (runId: string) =>
  useQuery({
    queryKey: ['coding-agents', 'run', runId],
    queryFn: async () => (await gateway.workerRuns.get({ params: { runId } })).data,
    staleTime: 0,
    refetchInterval: ({ state }) => refetchInterval(state.data && [state.data]),
  });

export const useChanges = (runId: string) =>
  useQuery({
    queryKey: ['coding-agents', 'changes', runId],
    queryFn: async () => (await gateway.workerThreads.changes({ params: { runId } })).data,
  });

function useCommand<T, R>(command: (input: T) => Promise<R>) {
  const queries = useQueryClient();
  return useMutation({
    networkMode: 'always',
    mutationFn: command,
    onSettled: () => queries.invalidateQueries({ queryKey: ['coding-agents'] }),
  });
}

export interface Start {
  task_prompt: string;
  name?: string;
  repo?: string;
  branch?: string;
}

export const useCreateWorkspace = () => useCommand(async (body: Start) => (await gateway.workerEnvironments.create({ body })).data);
export const useStartRun = () =>
  useCommand(async (body: Pick<Start, 'task_prompt' | 'repo'>) => (await gateway.workerRuns.create({ body })).data);
export const useNextTurn = (envId: string) =>
  useCommand(
    async (task_prompt: string) => (await gateway.workerEnvironments.createTurn({ params: { envId }, body: { task_prompt } })).data,
  );
export const useCancel = () => useCommand((runId: string) => gateway.workerThreads.cancel({ params: { runId } }));
export const useClose = () => useCommand((envId: string) => gateway.workerEnvironments.close({ params: { envId } }));
