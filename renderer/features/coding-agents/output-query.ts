import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Reply } from '../../../shared/contract/core/route.ts';
import type { Contract } from '../../../shared/contract/index.ts';
import { gateway } from '../../api/client.ts';
import { isOpen } from './words.ts';

export type OutputLine = Reply<Contract['workerThreads']['output']>['data']['lines'][number];

interface Output {
  lines: readonly OutputLine[];
  next: number;
  hasEnded: boolean;
}

const noOutput: Output = { lines: [], next: 0, hasEnded: false };
const pageLines = 1000;
const followMs = 1000;

/** Output of an agent. Fetches new lines until the run has ended. */
export function useOutput(runId: string) {
  const queries = useQueryClient();
  const queryKey = ['coding-agents', 'output', runId];
  return useQuery({
    queryKey,
    queryFn: async () => {
      let output = queries.getQueryData<Output>(queryKey) ?? noOutput;
      for (let isMore = true; isMore; ) {
        const { data } = await gateway.workerThreads.output({ params: { runId }, query: { after: output.next, limit: pageLines } });
        isMore = data.lines.length === pageLines;
        const lines = data.lines.length === 0 ? output.lines : [...output.lines, ...data.lines];
        output = { lines, next: data.next, hasEnded: !isOpen(data) && !isMore };
      }
      return output;
    },
    structuralSharing: false,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.hasEnded ? false : followMs),
  });
}
