/** Eval worker of the app: connection state and its evaluators. */
import { useQuery } from '@tanstack/react-query';
import { gateway } from './client.ts';

const pollMs = 5_000;

/** Null when no worker is connected. */
export const useWorker = () =>
  useQuery({
    queryKey: ['worker', 'status'],
    queryFn: async () => (await gateway.experimentRuns.worker()).data,
    staleTime: 0,
    refetchInterval: pollMs,
  });

/** The evaluators that the connected worker reports. */
export const useWorkerEvals = (isConnected: boolean) =>
  useQuery({
    queryKey: ['worker', 'evals'],
    enabled: isConnected,
    queryFn: async () => (await gateway.experimentRuns.evals()).data,
    staleTime: 0,
    retry: false,
  });
