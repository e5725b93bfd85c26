import clsx from 'clsx';
import type { ContextWindow } from '../../../../shared/contract/tracing/context-windows.ts';
import { percent, plural, tokens } from '../../../model/text/format.ts';
import { promptTokens } from '../../../model/trace/context-verdicts.ts';
import { KindIcon } from '../../../ui/primitives/kind-icon.tsx';

interface AgentChoiceProps {
  windows: readonly ContextWindow[];
  chosen: number;
  onSelect: (at: number) => void;
}

/** The windows of the agents, each with its peak. */
export function AgentChoice({ windows, chosen, onSelect }: AgentChoiceProps) {
  const isAmbiguous = (window: ContextWindow) => windows.some((other) => other !== window && other.agent === window.agent);
  return (
    <fieldset aria-label="Window of" className="ml-auto flex min-w-0 gap-1 overflow-x-auto py-1">
      {windows.map((window, at) => (
        <button
          key={window.calls[0]?.span_id}
          type="button"
          aria-pressed={at === chosen}
          onClick={() => onSelect(at)}
          className="flex h-control shrink-0 items-center gap-1.5 rounded-control px-2 text-row hover:bg-hover aria-pressed:bg-select"
        >
          <KindIcon kind="agent" />
          <span className="max-w-(--width-name) truncate font-medium">{window.agent || 'No agent'}</span>
          {isAmbiguous(window) && <span className="max-w-(--width-word) truncate text-fg-3">{window.model}</span>}
          <span className="text-fg-3 tabular-nums @max-beside:hidden">{plural(window.calls.length, 'call')}</span>
          <Peak window={window} isOn={at === chosen} />
        </button>
      ))}
    </fieldset>
  );
}

function Peak({ window, isOn }: { window: ContextWindow; isOn: boolean }) {
  const most = promptTokens(window.calls[window.peak]);
  if (window.limit_tokens === null)
    return (
      most > 0 && (
        <span className="text-fg-2 tabular-nums" title="Tokens of the longest prompt">
          {tokens(most)}
        </span>
      )
    );
  const share = most / window.limit_tokens;
  return (
    <>
      <span aria-hidden="true" className={clsx('h-1.5 w-11 rounded-key @max-beside:hidden', isOn ? 'bg-line-2' : 'bg-raised')}>
        <span className="block h-full rounded-key bg-agent" style={{ width: `${Math.min(100, share * 100)}%` }} />
      </span>
      <span className="text-fg-2 tabular-nums" title="Share of the window that the longest prompt fills">
        {percent(share)}
      </span>
    </>
  );
}
