import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { RedactionPolicy } from '../../../shared/contract/redaction.ts';
import { gateway } from '../../api/client.ts';
import { destinationsKey } from '../../api/forwarding.ts';

export const previewPageMax = 20;

/** What the rules would do; null policy: they cannot be tried as they are. The last answer stays until the next is there. */
export const useRedactionPreview = (policy: RedactionPolicy | null, traceId: string | undefined, page: number) =>
  useQuery({
    queryKey: ['redaction-preview', policy, traceId, page],
    queryFn: async () => {
      if (policy === null) throw new Error('there are no rules to try');
      const place = { limit: previewPageMax, offset: (page - 1) * previewPageMax };
      const body = { policy, ...place, ...(traceId === undefined ? {} : { trace_id: traceId }) };
      return (await gateway.redaction.preview({ body })).data;
    },
    enabled: policy !== null,
    placeholderData: keepPreviousData,
    staleTime: 0,
    retry: false,
  });

export const useTokenLookup = () =>
  useMutation({ networkMode: 'always', mutationFn: async (token: string) => (await gateway.redaction.token({ params: { token } })).data });

/** From now on the destination gets what these rules let through. */
export function useKeepPolicy(name: string) {
  const queries = useQueryClient();
  return useMutation({
    networkMode: 'always',
    mutationFn: (policy: RedactionPolicy) => gateway.forwarding.change({ params: { name }, body: { policy } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: destinationsKey }),
  });
}
