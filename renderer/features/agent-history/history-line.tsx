import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Button } from '../../ui/primitives/button.tsx';
import { preference, usePreference } from '../../ui/primitives/preferences.ts';
import { Text } from '../../ui/primitives/text.tsx';
import { useAgentHistory, useShowHistory } from './history-query.ts';
import { foundAgents, foundWords, namesOf, progressWords, showWords } from './words.ts';

/** One quiet line above the traces: what can be shown, until it is dismissed; progress while it is read; why it cannot be. */
export function HistoryLine() {
  const agents = foundAgents(useAgentHistory().data ?? []);
  const show = useShowHistory();
  const [isDismissed, dismiss] = usePreference(preference.isHistoryDismissed);
  const failed = agents.find(({ state }) => state === 'failed');
  const reading = agents.filter(({ state }) => state === 'reading');
  if (failed)
    return (
      <Line>
        <Text tone="err" cut>
          <span role="alert">{`The history of ${namesOf([failed])} is not read: ${failed.problem}`}</span>
        </Text>
        <ToSetup words="Details in Set up" />
      </Line>
    );
  if (reading.length > 0)
    return (
      <Line>
        <Text tone="quiet" cut>
          {/* Counts that change several times a second are not announced. */}
          <span role="status">{`Reading the history of ${namesOf(reading)}`}</span>
          <span className="num">{`: ${progressWords(reading)}`}</span>
        </Text>
        <ToSetup />
      </Line>
    );
  // Who has turned it off does not want to be asked again.
  const wasShown = agents.some(({ is_shown, traces }) => is_shown || traces > 0);
  if (isDismissed || agents.length === 0 || wasShown) return null;
  return (
    <Line>
      <Text tone="quiet" cut>{`${foundWords(agents)}: ${namesOf(agents)}`}</Text>
      <Button
        aria-busy={show.isPending}
        onClick={() => !show.isPending && show.mutate({ agents: agents.map(({ agent }) => agent), is_shown: true })}
      >
        {showWords(agents)}
      </Button>
      <ToSetup />
      <Button onClick={() => dismiss(true)}>Dismiss</Button>
    </Line>
  );
}

const Line = ({ children }: { children: ReactNode }) => (
  <aside aria-label="History of coding agents" className="flex min-h-row shrink-0 items-center gap-3 border-line border-b px-pad">
    {children}
  </aside>
);

const ToSetup = ({ words = 'Choose' }: { words?: string }) => (
  <Link to="/setup" className="shrink-0 text-accent text-row hover:underline">
    {words}
  </Link>
);
