import { type ReactNode, useMemo, useRef, useState } from 'react';
import { contextVerdicts } from '../../../model/trace/context-verdicts.ts';
import { type FooterKey, KeyFooter } from '../../../ui/primitives/key-footer.tsx';
import type { TraceView } from '../page/url.ts';
import { AgentChoice } from './agent-choice.tsx';
import { BreakBox } from './break-box.tsx';
import { CallDetail } from './call-detail.tsx';
import type { ContextViewProps } from './context-view.tsx';
import { HeaviestParts } from './heaviest-parts.tsx';
import { Notices } from './notices.tsx';
import { PartGroups } from './part-groups.tsx';
import { useChosen } from './use-chosen.ts';
import { useContextKeys } from './use-context-keys.ts';
import { Verdicts } from './verdicts.tsx';
import { type LimitedWindow, WindowLimit } from './window-limit.tsx';
import { WindowPicture } from './window-picture.tsx';

const footerKeys: readonly FooterKey[] = [
  [['j', 'k'], 'next, previous call'],
  [['Enter'], 'open call'],
  [['b'], 'next cache break'],
  [['h'], 'heaviest part'],
  [['[', ']'], 'other agent'],
  [['v'], 'tokens or cost'],
  [['l'], 'words or lines'],
];

/** Following, the last call is chosen. */
const callsMax = 100_000;

interface ContextWindowsProps extends ContextViewProps {
  windows: readonly LimitedWindow[];
  isWhole: boolean;
  choice: ReactNode;
}

export function ContextWindows({ windows, isWhole, choice, view, onView, isFollowing, onFollow, onOpenSpan }: ContextWindowsProps) {
  // Choosing another call ends following.
  const choose = (change: Partial<TraceView>) => {
    if (isFollowing && change.call !== undefined) onFollow();
    onView(change);
  };
  const chosen = useChosen(windows, isFollowing ? { ...view, call: callsMax } : view, choose);
  const { window, heaviest, call } = chosen;
  const [diff, setDiff] = useState<'words' | 'lines'>('words');
  const picture = useRef<HTMLDivElement>(null);
  const toggleDiff = () => setDiff(diff === 'words' ? 'lines' : 'words');
  const openCall = () => onOpenSpan(call.span_id);
  // Moves the focus from a pressed button to the picture, so that Enter opens the call.
  useContextKeys(windows, chosen, { openCall, toggleDiff, move: () => picture.current?.focus({ preventScroll: true }) });
  const verdicts = useMemo(() => contextVerdicts(window, heaviest), [window, heaviest]);
  return (
    <>
      <div className="@container shrink-0 border-line border-b">
        <div className="flex h-header items-center gap-4 px-pad">
          {choice}
          <AgentChoice windows={windows} chosen={chosen.at} onSelect={chosen.selectWindow} />
        </div>
      </div>
      <div className="@container flex min-h-0 flex-1 flex-col">
        <section
          aria-label="Context"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
          tabIndex={0}
          className="flex min-h-0 flex-1 flex-col overflow-y-auto outline-none @beside:flex-row @beside:overflow-hidden"
        >
          <div className="flex min-w-0 shrink-0 flex-col @beside:min-h-0 @beside:flex-1 @beside:overflow-y-auto">
            <Verdicts verdicts={verdicts} chosen={chosen} />
            <Notices window={window} isWhole={isWhole} />
            {window.isLimitOwn && <WindowLimit key={window.model} model={window.model} />}
            <WindowPicture ref={picture} chosen={chosen} onOpen={openCall} />
            <HeaviestParts chosen={chosen} />
          </div>
          <aside
            aria-label="Chosen call"
            className="flex shrink-0 flex-col border-line @max-beside:border-t @beside:w-(--width-context-side) @beside:overflow-y-auto @beside:border-l"
          >
            <CallDetail chosen={chosen} onOpen={openCall} />
            <BreakBox key={`${chosen.at} ${chosen.index}`} chosen={chosen} diff={diff} onDiff={toggleDiff} />
            <PartGroups key={`${chosen.at} ${chosen.index} groups`} chosen={chosen} />
          </aside>
        </section>
      </div>
      <KeyFooter keys={footerKeys} />
    </>
  );
}
