import type { AgentHistory } from '../../../shared/contract/viewer/agent-history.ts';
import { bytes, count, plural } from '../../model/text/format.ts';
import { exactly, when } from '../../model/time/time.ts';
import { CheckField } from '../../ui/primitives/check-field.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { agentNames } from './words.ts';

interface AgentRowProps {
  agent: AgentHistory;
  isBusy: boolean;
  onShow: (isShown: boolean) => void;
}

/** One agent: what there is, whether it is read, and how far. */
export function AgentRow({ agent, isBusy, onShow }: AgentRowProps) {
  const { folder, sessions, bytes: size, newest_at, is_shown, left_out } = agent;
  return (
    <li className="grid min-h-12 content-center gap-1 border-line border-t py-1">
      <div className="grid grid-cols-[var(--spacing-side)_minmax(0,1fr)] items-center gap-x-3 split:grid-cols-[var(--spacing-side)_minmax(0,1fr)_minmax(0,1fr)]">
        <CheckField
          label={agentNames[agent.agent]}
          fullName={`Show the history of ${agentNames[agent.agent]}`}
          isOn={is_shown}
          isBusy={isBusy}
          onChange={onShow}
        />
        <Text tone="quiet" cut title={folder}>
          <span className="num">{`${plural(sessions, 'session')}, ${bytes(size)}`}</span>
          {newest_at && <span title={exactly(newest_at)}>{`, last used ${when(newest_at)}`}</span>}
        </Text>
        <State agent={agent} />
      </div>
      {left_out.length > 0 && (
        <details className="text-row">
          <summary className="cursor-pointer text-warm">Some of it could not be read</summary>
          <ul className="grid gap-0.5 py-1 pl-4 text-fg-2">
            {left_out.map((sentence) => (
              <li key={sentence} className="wrap-anywhere">
                {sentence}
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}

/** Below the other columns where they would be too narrow beside each other. */
const place = 'col-span-2 split:col-span-1';

function State({ agent: { agent, state, sessions, sessions_read, traces, problem } }: { agent: AgentHistory }) {
  if (problem !== null)
    return (
      <p role="alert" className={`wrap-anywhere text-err text-row ${place}`}>
        {problem}
      </p>
    );
  if (state === 'off') return traces > 0 ? <Text tone="dim" className={place}>{`Off; ${plural(traces, 'trace')} kept`}</Text> : null;
  if (state === 'up-to-date') return <Text tone="ok" className={place}>{`Up to date, ${plural(traces, 'trace')}`}</Text>;
  return (
    <div className={`grid gap-1 ${place}`}>
      <progress
        aria-label={`Reading ${agentNames[agent]}`}
        value={sessions_read}
        max={Math.max(1, sessions)}
        className="h-bar w-full appearance-none overflow-hidden rounded-pill bg-raised [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-raised [&::-webkit-progress-value]:bg-accent"
      />
      <Text tone="dim">
        {/* Counts that change several times a second are not announced. */}
        <span role="status">Reading</span>
        <span className="num">{`: ${count(sessions_read)} of ${plural(sessions, 'session')}, ${plural(traces, 'trace')}`}</span>
      </Text>
    </div>
  );
}
