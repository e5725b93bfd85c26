import { useEffect, useRef, useState } from 'react';
import type { SpanTree } from '../../../model/trace/span-tree.ts';
import { useIsNarrow } from '../../../ui/primitives/narrow.ts';
import { preference, type SpanViewMode } from '../../../ui/primitives/preferences.ts';
import { Split } from '../../../ui/primitives/split.tsx';
import type { SpanTexts } from '../detail/span-texts.ts';
import { OverviewStrip } from '../index/overview-strip.tsx';
import { SpanIndex } from '../index/span-index.tsx';
import type { TimeWindow } from '../index/time-window.ts';
import type { SpanList } from '../index/use-span-list.ts';
import { SelectedSpan } from './selected-span.tsx';
import { useTraceKeys } from './trace-keys.ts';
import type { LoadedTrace } from './trace-query.ts';
import type { TraceView, ViewMode } from './url.ts';
import { usePanelFocus } from './use-panel-focus.ts';

interface SpanViewsProps {
  loaded: LoadedTrace;
  list: SpanList;
  texts: SpanTexts;
  window: TimeWindow;
  isPanel: boolean;
  view: TraceView;
  onView: (change: Partial<TraceView>) => void;
  viewMode: SpanViewMode;
  onViewMode: (viewMode: ViewMode) => void;
  onFollow: () => void;
  onFullPage: () => void;
  onNewWindow: () => void;
  onBack: () => void;
}

/** The spans of a trace in one of four views, with the detail of the selected one. */
export function SpanViews(props: SpanViewsProps) {
  const { loaded, list, window, isPanel, view, onView, viewMode } = props;
  const { tree } = loaded;
  const isNarrow = useIsNarrow();
  // In a narrow window the detail is an overlay, which is open at first if the address has a span.
  const [isOpen, setOpen] = useState(view.span !== undefined);
  const searchField = useRef<HTMLInputElement>(null);
  const treeRef = useRef<HTMLDivElement>(null);
  const onRendered = usePanelFocus(isPanel, treeRef);
  useTraceKeys(list, window, {
    search: () => searchField.current?.focus(),
    open: () => (isPanel ? props.onFullPage() : setOpen(true)),
    back: () => (isNarrow && isOpen ? setOpen(false) : props.onBack()),
    setViewMode: props.onViewMode,
    follow: props.onFollow,
    newWindow: props.onNewWindow,
    // Moves the focus from the pressed button to the index, so that Enter applies to the span.
    move: () => treeRef.current?.focus({ preventScroll: true }),
  });
  useRevealInWindow(window, tree, list.selected);
  return (
    <>
      <OverviewStrip loaded={loaded} window={window} selected={list.selected} onSelect={list.reveal} />
      <Split
        isDetailWanted={isOpen}
        width={viewMode === 'timeline' ? preference.timelineWidth : preference.indexWidth}
        index={<SpanIndex {...props} {...{ searchField, treeRef, onRendered }} onOpen={() => setOpen(true)} />}
        detail={tree.size > 0 && <SelectedSpan loaded={loaded} list={list} view={view} onView={onView} onClose={() => setOpen(false)} />}
      />
    </>
  );
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
