import { useQuery } from '@tanstack/react-query';
import { gateway } from './client.ts';

/** The other runs with the failure of a trace. It is asked once for each trace, not again while it is followed. */
export function useSeenBefore(traceId: string, isEnabled: boolean) {
  return useQuery({
    queryKey: ['seen-before', traceId],
    queryFn: async () => (await gateway.seenBefore.find({ params: { traceId } })).data,
    enabled: isEnabled,
    staleTime: 60_000,
    gcTime: 60_000,
  });
}
