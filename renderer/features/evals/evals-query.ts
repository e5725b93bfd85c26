import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Reply } from '../../../shared/contract/core/route.ts';
import type { Contract } from '../../../shared/contract/index.ts';
import { gateway } from '../../api/client.ts';
import { type EvalRunView, type EvalsView, pageQuery } from './url.ts';

type Evals = Contract['viewerEvals'];
export type ListedRun = Reply<Evals['runs']>['data'][number];
export type ShownRun = Reply<Evals['run']>['data'];
export type Task = Reply<Evals['tasks']>['data'][number];
export type Trial = Reply<Evals['trials']>['data'][number];
export type Escalation = Reply<Evals['escalations']>['data'][number];

/** Intervals of refetching: workers report while a run continues. */
const busyMs = 2000;
const idleMs = 15_000;

export const hasEnded = ({ status }: Pick<ListedRun, 'status'>): boolean => status === 'succeeded' || status === 'failed';
const refetchInterval = (isRunning: boolean | undefined) => (isRunning ? busyMs : idleMs);

export const useRuns = ({ status, page }: EvalsView) =>
  useQuery({
    queryKey: ['evals', 'list', status, page],
    queryFn: () => gateway.viewerEvals.runs({ query: { ...pageQuery(page), ...(status && { status }) } }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: ({ state }) => refetchInterval(state.data?.data.some((run) => !hasEnded(run))),
  });

export const useRun = (runId: string) =>
  useQuery({
    queryKey: ['evals', runId],
    queryFn: async () => (await gateway.viewerEvals.run({ params: { runId } })).data,
    staleTime: 0,
    refetchInterval: ({ state }) => refetchInterval(state.data && !hasEnded(state.data)),
  });

/** Query of one side of a run, refetched while the run continues. */
const sideOf = <T>(run: ShownRun, key: readonly unknown[], queryFn: () => Promise<T>) => ({
  queryKey: ['evals', run.id, ...key],
  queryFn,
  placeholderData: keepPreviousData<T>,
  staleTime: 0,
  refetchInterval: refetchInterval(!hasEnded(run)),
});

export const useTasks = (run: ShownRun, { page }: EvalRunView) =>
  useQuery(sideOf(run, ['tasks', page], () => gateway.viewerEvals.tasks({ params: { runId: run.id }, query: pageQuery(page) })));

export const useTrials = (run: ShownRun, { page, trials: status }: EvalRunView) =>
  useQuery(
    sideOf(run, ['trials', status, page], () =>
      gateway.viewerEvals.trials({ params: { runId: run.id }, query: { ...pageQuery(page), ...(status && { status }) } }),
    ),
  );

export const useEscalations = (run: ShownRun, { page }: EvalRunView) =>
  useQuery(
    sideOf(run, ['escalations', page], () => gateway.viewerEvals.escalations({ params: { runId: run.id }, query: pageQuery(page) })),
  );
