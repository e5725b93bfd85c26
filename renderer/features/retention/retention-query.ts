import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { AppRetention, RetentionRules } from '../../../shared/contract/projects/retention.ts';
import { gateway } from '../../api/client.ts';

const queryKey = ['retention'];

export const useRetention = () => useQuery({ queryKey, queryFn: async () => (await gateway.retention.get()).data, staleTime: 0 });

/** Number of traces that these rules would delete now. */
export const usePreview = (body: RetentionRules) =>
  useQuery({
    queryKey: [...queryKey, 'preview', body],
    queryFn: async () => (await gateway.retention.preview({ body })).data.traces,
    staleTime: 0,
    retry: false,
  });

export function useReplace() {
  const queries = useQueryClient();
  return useMutation({
    networkMode: 'always',
    mutationFn: async (body: RetentionRules) => (await gateway.retention.replace({ body })).data,
    onSuccess: (retention: AppRetention) => queries.setQueryData(queryKey, retention),
  });
}
