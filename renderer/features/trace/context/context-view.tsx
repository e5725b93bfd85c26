/** What fills the context windows of the agents of a trace, call by call, what it costs, and where the prompt cache broke. */
import { asFailure } from '../../../api/failure.ts';
import { Button } from '../../../ui/primitives/button.tsx';
import { EmptyState } from '../../../ui/primitives/empty-state.tsx';
import { FailedState } from '../../../ui/primitives/failed-state.tsx';
import { useKeys } from '../../../ui/primitives/keys.tsx';
import type { LoadedTrace } from '../page/trace-query.ts';
import type { TraceView, ViewMode } from '../page/url.ts';
import { ViewChoice } from '../page/view-choice.tsx';
import { useContextWindows } from './context-query.ts';
import { ContextSkeleton } from './context-skeleton.tsx';
import { ContextWindows } from './context-windows.tsx';
import { useWindowsWithLimits } from './window-limit.tsx';

export interface ContextViewProps {
  loaded: LoadedTrace;
  view: TraceView;
  onView: (change: Partial<TraceView>) => void;
  onViewMode: (viewMode: ViewMode) => void;
  onOpenSpan: (spanId: string) => void;
  isFollowing: boolean;
  onFollow: () => void;
  onNewWindow: () => void;
  onBack: () => void;
}

export function ContextView(props: ContextViewProps) {
  const { loaded, onViewMode, onFollow, onNewWindow, onBack } = props;
  const { data, error, refetch } = useContextWindows(loaded.trace.id);
  useKeys('Trace', [
    { on: ['r'], label: 'Transcript view', run: () => onViewMode('transcript') },
    { on: ['t'], label: 'Tree view', run: () => onViewMode('tree') },
    { on: ['w'], label: 'Timeline view', run: () => onViewMode('timeline') },
    { on: ['a'], label: 'Graph view', run: () => onViewMode('graph') },
    { on: ['f'], label: 'Follow new calls', run: onFollow },
    { on: ['o'], label: 'Open in new window', run: onNewWindow },
    { on: ['Escape'], label: 'Back', run: onBack },
  ]);
  const windows = useWindowsWithLimits(data?.windows);
  const choice = <ViewChoice viewMode="context" onViewMode={onViewMode} />;
  if (data && windows.length > 0) return <ContextWindows {...props} windows={windows} isWhole={data.is_whole} choice={choice} />;
  return (
    <>
      <div className="flex h-header shrink-0 items-center border-line border-b px-pad">{choice}</div>
      <div className="min-h-0 flex-1">
        {data ? (
          <EmptyState title="No model calls" action={<Button onClick={() => onViewMode('tree')}>Show the spans</Button>}>
            This trace has no call of a model, so there is no context window to look into.
          </EmptyState>
        ) : error ? (
          <FailedState failure={asFailure(error, 'The context windows could not be read')} onRetry={() => void refetch()} />
        ) : (
          <ContextSkeleton />
        )}
      </div>
    </>
  );
}
