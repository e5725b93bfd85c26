import { useQuery } from '@tanstack/react-query';
import { gateway } from '../../api/client.ts';
import { readPayloads, withPayloads } from '../../api/span-io.ts';

const gcTime = 60_000;
/** A span with its whole texts, as far as they can be shown. */
export function useStepSpan(traceId: string, spanId: string | undefined) {
  return useQuery({
    queryKey: ['compare', 'span', traceId, spanId],
    queryFn: async () => {
      const [span] = (await gateway.traceViewer.previews({ params: { traceId }, query: { ids: spanId ?? '' } })).data;
      if (!span?.truncated_fields) return span ?? null;
      return withPayloads(span, await readPayloads(traceId, span.id));
    },
    enabled: spanId !== undefined,
    gcTime,
  });
}
