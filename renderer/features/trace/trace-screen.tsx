import { getRouteApi, useNavigate, useRouter } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { asFailure, isNotFound } from '../../api/failure.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FailedState } from '../../ui/failed-state.tsx';
import { useIsNarrow } from '../../ui/narrow.ts';
import { Split } from '../../ui/split.tsx';
import { SpanDetail } from './span-detail.tsx';
import { SpanIndex } from './span-index.tsx';
import { TraceFacts, TraceHeader } from './trace-header.tsx';
import { useTraceKeys } from './trace-keys.ts';
import { type LoadedTrace, useTrace } from './trace-query.ts';
import { TraceSkeleton } from './trace-skeleton.tsx';
import { readTraceUrl, type TraceView, withTab } from './url.ts';
import { useSpanList } from './use-span-list.ts';

const route = getRouteApi('/traces/$traceId');

export function TraceScreen() {
  const { traceId } = route.useParams();
  const trace = useTrace(traceId);
  const back = useBack();
  if (trace.data) return <Loaded key={traceId} loaded={trace.data} onBack={back} />;
  if (trace.isError && isNotFound(trace.error))
    return (
      <EmptyState title="No span of this trace has arrived" action={<Button onClick={back}>Back to the traces</Button>}>
        It opens here by itself when the first one does. If it was deleted, it will not come back.
      </EmptyState>
    );
  if (trace.isError)
    return <FailedState failure={asFailure(trace.error, 'The trace could not be read')} onRetry={() => void trace.refetch()} />;
  return <TraceSkeleton />;
}

/** Back to where the reader came from, with its filters; to the list when this page was opened by its address. */
function useBack() {
  const { history } = useRouter();
  const navigate = useNavigate();
  return () => (history.canGoBack() ? history.back() : void navigate({ to: '/traces' }));
}

function Loaded({ loaded, onBack }: { loaded: LoadedTrace; onBack: () => void }) {
  const view = route.useSearch();
  const navigate = useNavigate();
  const show = (change: Partial<TraceView>) =>
    void navigate({
      to: '/traces/$traceId',
      params: { traceId: loaded.trace.id },
      search: (now) => readTraceUrl({ ...now, ...change }),
      replace: true,
    });
  const list = useSpanList(loaded.tree, {
    span: view.span,
    words: view.q ?? '',
    onSpan: (span) => show({ span }),
    onWords: (q) => show({ q }),
  });
  const isNarrow = useIsNarrow();
  // On a narrow window the detail is a layer: there when the address names a span, gone when it is closed.
  const [isOpen, setOpen] = useState(view.span !== undefined);
  const searchField = useRef<HTMLInputElement>(null);
  const tree = useRef<HTMLDivElement>(null);
  useTraceKeys(list, {
    search: () => searchField.current?.focus(),
    open: () => setOpen(true),
    back: () => (isNarrow && isOpen ? setOpen(false) : onBack()),
    // From the button that was pressed last: Enter is now about the span.
    move: () => tree.current?.focus({ preventScroll: true }),
  });
  return (
    <>
      <title>{`${loaded.trace.name || 'unnamed'} · Glasshouse`}</title>
      <TraceHeader loaded={loaded} onNextError={() => list.nextError(1)} />
      <TraceFacts loaded={loaded} />
      <Split
        isDetailWanted={isOpen}
        index={<SpanIndex loaded={loaded} list={list} searchField={searchField} treeRef={tree} onOpen={() => setOpen(true)} />}
        detail={
          list.selected && (
            <SpanDetail
              node={list.selected}
              loaded={loaded}
              tab={view.tab ?? 'messages'}
              onTab={(tab) => show({ tab: withTab({}, tab).tab })}
              onReveal={list.reveal}
              onClose={() => setOpen(false)}
            />
          )
        }
      />
    </>
  );
}
