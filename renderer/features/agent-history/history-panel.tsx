import type { AgentHistory } from '../../../shared/contract/viewer/agent-history.ts';
import { asFailure } from '../../api/failure.ts';
import { refusalOf } from '../../api/refusal.ts';
import { Button } from '../../ui/primitives/button.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { AgentRow } from './agent-row.tsx';
import { useAgentHistory, useShowHistory } from './history-query.ts';
import { foundAgents, foundWords, showWords } from './words.ts';

/** The coding agents of this machine, whose sessions can be read. Nothing where there are none. */
export function HistoryPanel() {
  const history = useAgentHistory();
  if (history.data) {
    const agents = foundAgents(history.data);
    return agents.length === 0 ? null : <Found agents={agents} />;
  }
  if (history.isLoading)
    return (
      <Text as="p" tone="dim">
        <span role="status">Looking for coding agents on this machine</span>
      </Text>
    );
  if (!history.isError) return null;
  const { what, why } = asFailure(history.error, 'The coding agents of this machine could not be looked up');
  return (
    <p role="alert" className="flex items-center gap-2 text-err text-row">
      {`${what}. ${why}`}
      <Button onClick={() => void history.refetch()}>Try again</Button>
    </p>
  );
}

function Found({ agents }: { agents: AgentHistory[] }) {
  const show = useShowHistory();
  const hidden = agents.filter(({ is_shown }) => !is_shown);
  const { whole: refused } = refusalOf(show.error);
  const change = (changed: readonly AgentHistory[], is_shown: boolean) =>
    !show.isPending && show.mutate({ agents: changed.map(({ agent }) => agent), is_shown });
  return (
    <section
      aria-label="History of coding agents"
      className="grid grid-cols-[minmax(0,1fr)] gap-2 rounded-card border border-line bg-panel p-3"
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Text as="h2" size="section" strong className="min-w-0 flex-1">
          {foundWords(agents)}
        </Text>
        {hidden.length === agents.length && (
          <Button primary aria-busy={show.isPending} onClick={() => change(hidden, true)}>
            {showWords(agents)}
          </Button>
        )}
      </div>
      <Text as="p" tone="quiet">
        Their past sessions become traces: prompts, model calls, tools, tokens and cost. Only session files are read, never settings or
        credentials. What is read stays on this machine; it is not forwarded unless you forward a trace yourself.
      </Text>
      <ul aria-label="Coding agents" className="grid">
        {agents.map((agent) => (
          <AgentRow key={agent.agent} agent={agent} isBusy={show.isPending} onShow={(isShown) => change([agent], isShown)} />
        ))}
      </ul>
      {refused && (
        <p role="alert" className="text-err text-row">
          {refused}
        </p>
      )}
      {hidden.length < agents.length && (
        <Text as="p" tone="dim">
          What an agent does from now on appears while it runs. Turning it off stops reading; traces that were read stay until you delete
          them.
        </Text>
      )}
    </section>
  );
}
