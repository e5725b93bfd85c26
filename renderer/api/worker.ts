/** The worker of the app: whether one is connected, and what it can judge by. */
import { useQuery } from '@tanstack/react-query';
import { gateway } from './client.ts';

const lookMs = 5_000;

/** Null when no worker is connected. */
export const useWorker = () =>
  useQuery({
    queryKey: ['worker', 'status'],
    queryFn: async () => (await gateway.experimentRuns.worker()).data,
    staleTime: 0,
    refetchInterval: lookMs,
  });

/** The worker itself is asked. */
export const useWorkerEvals = (isConnected: boolean) =>
  useQuery({
    queryKey: ['worker', 'evals'],
    enabled: isConnected,
    queryFn: async () => (await gateway.experimentRuns.evals()).data,
    staleTime: 0,
    retry: false,
  });
