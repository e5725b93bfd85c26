import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { AgentHistory, HistoryAgent } from '../../../shared/contract/viewer/agent-history.ts';
import { gateway } from '../../api/client.ts';
import { useServed } from '../../api/served.ts';

const historyKey = ['agent-history'];
const readingMs = 700;
/** Sessions go on, and what failed is tried again. */
const shownMs = 5_000;

const pollMs = (agents: readonly AgentHistory[] = []): number | false =>
  agents.some(({ state }) => state === 'reading') ? readingMs : agents.some(({ is_shown }) => is_shown) ? shownMs : false;

/** Polled while something is shown. Asks nothing where the gateway does not serve it. */
export function useAgentHistory() {
  const isServed = useServed()('agent_history');
  return useQuery({
    queryKey: historyKey,
    queryFn: async () => (await gateway.agentHistories.list()).data,
    enabled: isServed,
    staleTime: 0,
    refetchInterval: ({ state }) => pollMs(state.data),
  });
}

/** Begins or stops to read the sessions of some agents. */
export function useShowHistory() {
  const queries = useQueryClient();
  return useMutation({
    networkMode: 'always',
    mutationFn: async (body: { agents: HistoryAgent[]; is_shown: boolean }) => (await gateway.agentHistories.show({ body })).data,
    onSuccess: (agents: AgentHistory[]) => queries.setQueryData(historyKey, agents),
  });
}
