import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Reply } from '../../../shared/contract/core/route.ts';
import type { Contract } from '../../../shared/contract/index.ts';
import { gateway } from '../../api/client.ts';
import { isOpen } from './words.ts';

export type OutputLine = Reply<Contract['workerThreads']['output']>['data']['lines'][number];

interface Output {
  lines: readonly OutputLine[];
  next: number;
  isOver: boolean;
}

const nothing: Output = { lines: [], next: 0, isOver: false };
const pageLines = 1000;
const followMs = 1000;

/** Output of an agent. Each request fetches what is new, until the run has ended. */
export function useOutput(runId: string) {
  const queries = useQueryClient();
  const queryKey = ['workers', 'output', runId];
  return useQuery({
    queryKey,
    queryFn: async () => {
      let read = queries.getQueryData<Output>(queryKey) ?? nothing;
      for (let isMore = true; isMore; ) {
        const { data } = await gateway.workerThreads.output({ params: { runId }, query: { after: read.next, limit: pageLines } });
        isMore = data.lines.length === pageLines;
        const lines = data.lines.length === 0 ? read.lines : [...read.lines, ...data.lines];
        read = { lines, next: data.next, isOver: !isOpen(data) && !isMore };
      }
      return read;
    },
    structuralSharing: false,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.isOver ? false : followMs),
  });
}
