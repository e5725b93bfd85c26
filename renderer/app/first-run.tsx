import { HistoryPanel } from '../features/agent-history/history-panel.tsx';
import { useAgentHistory } from '../features/agent-history/history-query.ts';
import { SetupScreen } from '../features/setup/setup-screen.tsx';

/** The setup screen with the agents whose history can be shown. Their traces are opened from the list: there are many at once. */
export function FirstRun() {
  const history = useAgentHistory();
  const isShown = history.data?.some(({ is_shown }) => is_shown) === true;
  return <SetupScreen isFirstRun opensFirst={!isShown} history={<HistoryPanel />} />;
}
