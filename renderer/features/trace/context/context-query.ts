import { useQuery } from '@tanstack/react-query';
import { gateway } from '../../../api/client.ts';

/** Refetched with the rest of the trace, because its key begins like that of the outline. */
export const useContextWindows = (traceId: string) =>
  useQuery({
    queryKey: ['trace', traceId, 'context'],
    queryFn: async () => (await gateway.contextWindows.find({ params: { traceId } })).data,
    gcTime: 60_000,
  });
