import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Retention, Storage } from '../../../shared/contract/viewer/viewer-storage.ts';
import { gateway } from '../../api/client.ts';

export const storageKey = ['storage'];

const runningMs = 500;

/** Storage figures, polled while a compaction runs. */
export const useStorage = () =>
  useQuery({
    queryKey: storageKey,
    queryFn: async () => (await gateway.viewerStorage.get()).data,
    staleTime: 0,
    refetchInterval: ({ state }) => state.data?.compaction?.state === 'running' && runningMs,
  });

/** Number of traces older than this many days. Null sends no request. */
export const useOlder = (days: number | null) =>
  useQuery({
    queryKey: ['storage-older', days],
    queryFn: async () => (await gateway.viewerStorage.older({ query: { days: days ?? 1 } })).data.traces,
    enabled: days !== null,
    staleTime: 0,
    retry: false,
  });

export function useKeep() {
  const queries = useQueryClient();
  return useMutation({
    networkMode: 'always',
    mutationFn: (body: Retention) => gateway.viewerStorage.putRetention({ body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: storageKey }),
  });
}

/** Starts or cancels a compaction. */
export function useCompact(action: 'compact' | 'cancelCompaction') {
  const queries = useQueryClient();
  return useMutation({
    networkMode: 'always',
    mutationFn: async () => (await gateway.viewerStorage[action]()).data,
    onSuccess: (storage: Storage) => queries.setQueryData(storageKey, storage),
  });
}
