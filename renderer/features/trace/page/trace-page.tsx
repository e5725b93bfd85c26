/** One trace: in the side panel, as a full page, or in a window of its own. The host stores the view. */
import { lazy, Suspense, useEffect, useMemo } from 'react';
import { asFailure, isNotFound } from '../../../api/failure.ts';
import { formatSearch } from '../../../model/filter/search-string.ts';
import type { SpanTree } from '../../../model/trace/span-tree.ts';
import { Button } from '../../../ui/primitives/button.tsx';
import { EmptyState } from '../../../ui/primitives/empty-state.tsx';
import { FailedState } from '../../../ui/primitives/failed-state.tsx';
import { preference, usePreference } from '../../../ui/primitives/preferences.ts';
import { ContextSkeleton } from '../context/context-skeleton.tsx';
import { SpanTexts } from '../detail/span-texts.ts';
import { TraceFactsLine } from '../header/trace-facts-line.tsx';
import { TraceHeader } from '../header/trace-header.tsx';
import { useSpanList } from '../index/use-span-list.ts';
import { useTimeWindow } from '../index/use-time-window.ts';
import { PanelClose } from './panel-close.tsx';
import { SpanViews } from './span-views.tsx';
import { type LoadedTrace, useTrace } from './trace-query.ts';
import { TraceSkeleton } from './trace-skeleton.tsx';
import type { TraceView, ViewMode } from './url.ts';
import { useFollowing } from './use-following.ts';

const ContextView = lazy(() => import('../context/context-view.tsx').then((module) => ({ default: module.ContextView })));

export type Host = 'panel' | 'full' | 'window';

export interface TracePageProps {
  traceId: string;
  host: Host;
  /** View state, which the host stores; a page stores it in its address. */
  view: TraceView;
  onView: (change: Partial<TraceView>) => void;
  onBack: () => void;
  /** Opens the page of the trace, from the side panel. `view` has the current selection, which the host learns a moment later. */
  onFullPage?: (view: TraceView) => void;
}

export function TracePage(props: TracePageProps) {
  const { traceId, host, onBack } = props;
  const trace = useTrace(traceId);
  if (trace.data) return <Loaded key={traceId} {...props} loaded={trace.data} />;
  return (
    <>
      {host === 'panel' && <PanelClose onClose={onBack} />}
      <NotLoaded trace={trace} isPage={host !== 'panel'} onBack={onBack} />
    </>
  );
}

function NotLoaded({ trace, isPage, onBack }: { trace: ReturnType<typeof useTrace>; isPage: boolean; onBack: () => void }) {
  if (!trace.isError) return <TraceSkeleton />;
  return isNotFound(trace.error) ? (
    <EmptyState isPage={isPage} title="Trace not found" action={<Button onClick={onBack}>Back to traces</Button>}>
      No span of this trace has arrived, or the trace was deleted. It opens here when its first span arrives.
    </EmptyState>
  ) : (
    <FailedState isPage={isPage} failure={asFailure(trace.error, 'The trace could not be loaded')} onRetry={() => void trace.refetch()} />
  );
}

/** The view: from the address, otherwise the last view of spans that was chosen for this kind of trace. */
function useViewMode(isAgentRun: boolean, requested: ViewMode | undefined, onView: TracePageProps['onView']) {
  const [saved, save] = usePreference(isAgentRun ? preference.agentView : preference.traceView);
  const choose = (view: ViewMode) => {
    if (view !== 'context') save(view);
    onView({ view });
  };
  const isContext = requested === 'context';
  return { isContext, spanView: isContext ? saved : (requested ?? saved), choose };
}

function Loaded({ loaded, traceId, host, view, onView, onBack, onFullPage }: TracePageProps & { loaded: LoadedTrace }) {
  const { tree } = loaded;
  const texts = useMemo(() => new SpanTexts(traceId), [traceId]);
  const window = useTimeWindow(tree, view.at, (at) => onView({ at }));
  const { isContext, spanView, choose } = useViewMode(loaded.isAgentRun, view.view, onView);
  const list = useSpanList(tree, {
    span: view.span,
    words: view.q ?? '',
    onSpan: (span) => onView({ span }),
    onWords: (q) => onView({ q }),
    viewMode: spanView,
  });
  const [isFollowing, setFollowing] = useFollowing(tree, list);
  const fullPage = () => onFullPage?.(currentView(view, tree, list.selected));
  const newWindow = () => void globalThis.open(windowAddress(traceId, currentView(view, tree, list.selected)), '_blank', 'noopener');
  const follow = () => setFollowing(!isFollowing);
  const openSpan = (at: number | undefined) => {
    if (isContext) choose(spanView);
    list.reveal(at);
  };
  useTitle(host, loaded.trace.name);
  const shared = { loaded, view, onView, onViewMode: choose, onBack, onNewWindow: newWindow };
  return (
    <>
      <TraceHeader
        {...{ loaded, host, isFollowing }}
        onFollow={follow}
        onNextError={() => (isContext ? openSpan(tree.causes[0]) : list.nextError(1))}
        onFullPage={fullPage}
        onNewWindow={newWindow}
        onClose={onBack}
      />
      <TraceFactsLine loaded={loaded} />
      {isContext ? (
        <Suspense fallback={<ContextSkeleton />}>
          <ContextView {...shared} {...{ isFollowing }} onFollow={follow} onOpenSpan={(id) => openSpan(tree.placeOf(id))} />
        </Suspense>
      ) : (
        <SpanViews
          {...{ ...shared, list, texts, window, isPanel: host === 'panel', viewMode: spanView }}
          onFollow={follow}
          onFullPage={fullPage}
        />
      )}
    </>
  );
}

/** The view with the selected span, which its host learns a moment later. Without one the first is selected. */
function currentView(view: TraceView, tree: SpanTree, selected: number): TraceView {
  return view.span === undefined && selected === 0 ? view : { ...view, span: tree.idAt(selected) };
}

function windowAddress(traceId: string, view: TraceView): string {
  return `${location.pathname}#/traces/${encodeURIComponent(traceId)}${formatSearch({ ...view, window: '1' })}`;
}

/** Sets the document title, except from the side panel. */
function useTitle(host: Host, name: string): void {
  useEffect(() => {
    if (host !== 'panel') document.title = `${name || 'unnamed'} · Glasshouse`;
  }, [host, name]);
}
