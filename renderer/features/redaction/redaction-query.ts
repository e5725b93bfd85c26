import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { RedactionPolicy } from '../../../shared/contract/operations/redaction.ts';
import { gateway } from '../../api/client.ts';
import { destinationsKey } from '../../api/forwarding.ts';

export const previewPageMax = 20;

/** Effect of the rules on stored spans. A null policy, from an invalid form, sends no request. The previous result stays until the next one loads. */
export const useRedactionPreview = (policy: RedactionPolicy | null, traceId: string | undefined, page: number) =>
  useQuery({
    queryKey: ['redaction-preview', policy, traceId, page],
    queryFn: async () => {
      if (policy === null) throw new Error('there are no rules to preview');
      const paging = { limit: previewPageMax, offset: (page - 1) * previewPageMax };
      const body = { policy, ...paging, ...(traceId === undefined ? {} : { trace_id: traceId }) };
      return (await gateway.redaction.preview({ body })).data;
    },
    enabled: policy !== null,
    placeholderData: keepPreviousData,
    staleTime: 0,
    retry: false,
  });

export const useTokenLookup = () =>
  useMutation({ networkMode: 'always', mutationFn: async (token: string) => (await gateway.redaction.token({ params: { token } })).data });

/** Saves the rules of a destination, which uses them from then on. */
export function useSavePolicy(name: string) {
  const queries = useQueryClient();
  return useMutation({
    networkMode: 'always',
    mutationFn: (policy: RedactionPolicy) => gateway.forwarding.change({ params: { name }, body: { policy } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: destinationsKey }),
  });
}
