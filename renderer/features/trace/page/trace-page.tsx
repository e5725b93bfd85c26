/** One trace: in the side panel, as a full page, or in a window of its own. The host stores the view. */
import { useEffect, useMemo, useRef, useState } from 'react';
import { asFailure, isNotFound } from '../../../api/failure.ts';
import { formatSearch } from '../../../model/filter/search-string.ts';
import type { SpanTree } from '../../../model/trace/span-tree.ts';
import { Button } from '../../../ui/primitives/button.tsx';
import { EmptyState } from '../../../ui/primitives/empty-state.tsx';
import { FailedState } from '../../../ui/primitives/failed-state.tsx';
import { useIsNarrow } from '../../../ui/primitives/narrow.ts';
import { preference, usePreference, type ViewMode } from '../../../ui/primitives/preferences.ts';
import { Split } from '../../../ui/primitives/split.tsx';
import { SpanTexts } from '../detail/span-texts.ts';
import { TraceFactsLine } from '../header/trace-facts-line.tsx';
import { TraceHeader } from '../header/trace-header.tsx';
import { OverviewStrip } from '../index/overview-strip.tsx';
import { SpanIndex } from '../index/span-index.tsx';
import type { TimeWindow } from '../index/time-window.ts';
import { useSpanList } from '../index/use-span-list.ts';
import { useTimeWindow } from '../index/use-time-window.ts';
import { PanelClose } from './panel-close.tsx';
import { SelectedSpan } from './selected-span.tsx';
import { useTraceKeys } from './trace-keys.ts';
import { type LoadedTrace, useTrace } from './trace-query.ts';
import { TraceSkeleton } from './trace-skeleton.tsx';
import type { TraceView } from './url.ts';
import { useFollowing } from './use-following.ts';
import { usePanelFocus } from './use-panel-focus.ts';

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
      <NotLoaded trace={trace} onBack={onBack} />
    </>
  );
}

function NotLoaded({ trace, onBack }: { trace: ReturnType<typeof useTrace>; onBack: () => void }) {
  if (!trace.isError) return <TraceSkeleton />;
  return isNotFound(trace.error) ? (
    <EmptyState title="Trace not found" action={<Button onClick={onBack}>Back to traces</Button>}>
      No span of this trace has arrived, or the trace was deleted. It opens here when its first span arrives.
    </EmptyState>
  ) : (
    <FailedState failure={asFailure(trace.error, 'The trace could not be loaded')} onRetry={() => void trace.refetch()} />
  );
}

/** View mode: from the address, otherwise the last choice for this kind of trace. */
function useViewMode(isAgentRun: boolean, requested: ViewMode | undefined, onView: TracePageProps['onView']) {
  const [saved, save] = usePreference(isAgentRun ? preference.agentView : preference.traceView);
  const choose = (view: ViewMode) => {
    save(view);
    onView({ view });
  };
  return [requested ?? saved, choose] as const;
}

function Loaded({ loaded, traceId, host, view, onView, onBack, onFullPage }: TracePageProps & { loaded: LoadedTrace }) {
  const { tree } = loaded;
  const texts = useMemo(() => new SpanTexts(traceId), [traceId]);
  const window = useTimeWindow(tree, view.at, (at) => onView({ at }));
  const [viewMode, onViewMode] = useViewMode(loaded.isAgentRun, view.view, onView);
  const list = useSpanList(tree, {
    span: view.span,
    words: view.q ?? '',
    onSpan: (span) => onView({ span }),
    onWords: (q) => onView({ q }),
    viewMode,
  });
  const isNarrow = useIsNarrow();
  // In a narrow window the detail is an overlay, which is open at first if the address has a span.
  const [isOpen, setOpen] = useState(view.span !== undefined);
  const [isFollowing, setFollowing] = useFollowing(tree, list);
  const searchField = useRef<HTMLInputElement>(null);
  const treeRef = useRef<HTMLDivElement>(null);
  const onRendered = usePanelFocus(host === 'panel', treeRef);
  const fullPage = () => onFullPage?.(currentView(view, tree, list.selected));
  const newWindow = () => void globalThis.open(windowAddress(traceId, currentView(view, tree, list.selected)), '_blank', 'noopener');
  useTraceKeys(list, window, {
    search: () => searchField.current?.focus(),
    open: () => (host === 'panel' ? fullPage() : setOpen(true)),
    back: () => (isNarrow && isOpen ? setOpen(false) : onBack()),
    setViewMode: onViewMode,
    follow: () => setFollowing(!isFollowing),
    newWindow,
    // Moves the focus from the pressed button to the index, so that Enter applies to the span.
    move: () => treeRef.current?.focus({ preventScroll: true }),
  });
  useRevealInWindow(window, tree, list.selected);
  useTitle(host, loaded.trace.name);
  return (
    <>
      <TraceHeader
        loaded={loaded}
        host={host}
        isFollowing={isFollowing}
        onFollow={() => setFollowing(!isFollowing)}
        onNextError={() => list.nextError(1)}
        onFullPage={fullPage}
        onNewWindow={newWindow}
        onClose={onBack}
      />
      <TraceFactsLine loaded={loaded} />
      <OverviewStrip loaded={loaded} window={window} selected={list.selected} onSelect={list.reveal} />
      <Split
        isDetailWanted={isOpen}
        width={viewMode === 'timeline' ? preference.timelineWidth : preference.indexWidth}
        index={
          <SpanIndex
            {...{ loaded, list, texts, window, viewMode, onViewMode, searchField, treeRef, onRendered }}
            onOpen={() => setOpen(true)}
          />
        }
        detail={tree.size > 0 && <SelectedSpan loaded={loaded} list={list} view={view} onView={onView} onClose={() => setOpen(false)} />}
      />
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

/** Keeps the selected span in the time range: a jump to an error moves the range. */
function useRevealInWindow(window: TimeWindow, tree: SpanTree, selected: number): void {
  const id = tree.size > 0 ? tree.idAt(selected) : '';
  const first = useRef(id);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a selection moves the window; arriving spans do not
  useEffect(() => {
    if (first.current === id) return;
    first.current = id;
    window.reveal({ from: tree.start[selected] as number, to: tree.end[selected] as number });
  }, [window, id]);
}

/** Sets the document title, except from the side panel. */
function useTitle(host: Host, name: string): void {
  useEffect(() => {
    if (host !== 'panel') document.title = `${name || 'unnamed'} · Glasshouse`;
  }, [host, name]);
}
