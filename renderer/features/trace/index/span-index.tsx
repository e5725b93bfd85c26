import { lazy, type RefObject, Suspense, useEffect } from 'react';
import { Button } from '../../../ui/primitives/button.tsx';
import type { SpanViewMode } from '../../../ui/primitives/preferences.ts';
import { SkeletonRows } from '../../../ui/primitives/skeleton.tsx';
import { Text } from '../../../ui/primitives/text.tsx';
import type { SpanTexts } from '../detail/span-texts.ts';
import type { LoadedTrace } from '../page/trace-query.ts';
import type { ViewMode } from '../page/url.ts';
import { IndexBar, TimeRangeLine } from './index-bar.tsx';
import { SpanRows } from './span-rows.tsx';
import type { TimeWindow } from './time-window.ts';
import type { SpanList } from './use-span-list.ts';

const Transcript = lazy(() => import('./transcript.tsx').then((module) => ({ default: module.Transcript })));
const AgentGraph = lazy(() => import('./agent-graph.tsx').then((module) => ({ default: module.AgentGraph })));

export interface SpanIndexProps {
  loaded: LoadedTrace;
  list: SpanList;
  texts: SpanTexts;
  window: TimeWindow;
  viewMode: SpanViewMode;
  onViewMode: (viewMode: ViewMode) => void;
  /** All views by default. */
  views?: readonly ViewMode[];
  searchField: RefObject<HTMLInputElement | null>;
  treeRef: RefObject<HTMLDivElement | null>;
  onOpen: () => void;
  /** Called when the spans are rendered. */
  onRendered: () => void;
}

/** Index of the spans in one of four view modes, which share selection and search. */
export function SpanIndex(props: SpanIndexProps) {
  const { loaded, list, window, viewMode } = props;
  return (
    <>
      <IndexBar {...props} />
      <TimeRangeLine window={window} tree={loaded.tree} />
      {list.isSearching && list.found.places.length === 0 && viewMode !== 'graph' ? (
        <NoMatches state={list.found.state} onClear={() => list.setWords('')} />
      ) : (
        <Suspense fallback={<SkeletonRows rows={20} label="Loading the view" />}>
          {viewMode === 'transcript' ? (
            <Transcript {...props} />
          ) : viewMode === 'graph' ? (
            <AgentGraph {...props} />
          ) : (
            <SpanRows {...props} hasBars={viewMode === 'timeline'} />
          )}
          <Rendered onRendered={props.onRendered} />
        </Suspense>
      )}
    </>
  );
}

/** Reports that the view is rendered. It suspends with the view, whose code may have to be loaded. */
function Rendered({ onRendered }: Pick<SpanIndexProps, 'onRendered'>) {
  useEffect(onRendered, [onRendered]);
  return null;
}

const noMatches = {
  searching: 'Searching span contents…',
  hidden: 'No name or model in this trace matches.',
  done: 'No name, message, metadata or payload in this trace matches.',
  failed: 'No name, message, metadata or payload in this trace matches.',
};

const NoMatches = ({ state, onClear }: { state: SpanList['found']['state']; onClear: () => void }) => (
  <div role="status" className="grid justify-items-center gap-2 p-6">
    <Text size="body" tone="dim">
      {noMatches[state]}
    </Text>
    {state !== 'searching' && <Button onClick={onClear}>Clear search</Button>}
  </div>
);
