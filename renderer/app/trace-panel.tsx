import { useNavigate } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { lazyComponent } from '../api/lazy-component.tsx';
import { PanelClose } from '../features/trace/page/panel-close.tsx';
import { TraceSkeleton } from '../features/trace/page/trace-skeleton.tsx';
import { readTraceUrl, type TraceView } from '../features/trace/page/url.ts';
import { useKeys } from '../ui/primitives/keys.tsx';
import { WaitingScreen } from './waiting-screen.tsx';

const TracePage = lazyComponent(async () => (await import('../features/trace/page/trace-page.tsx')).TracePage);

/** Side panel with a trace of the list. Enter opens the selected span on the page of the trace. */
export function TracePanel({ traceId, onClose }: { traceId: string; onClose: () => void }) {
  const navigate = useNavigate();
  const [view, setView] = useState<TraceView>({});
  return (
    <section
      aria-label="Trace"
      className="enter-layer fixed inset-y-0 right-0 z-30 flex w-[min(100%,max(var(--spacing-side-panel),66%))] flex-col border-line-2 border-l bg-bg shadow-layer"
    >
      <CloseKey onClose={onClose} />
      <Suspense
        fallback={
          <>
            <PanelClose onClose={onClose} />
            <WaitingScreen of={<TraceSkeleton />} />
          </>
        }
      >
        <TracePage
          traceId={traceId}
          host="panel"
          view={view}
          onView={(change) => setView((current) => readTraceUrl({ ...current, ...change }))}
          onBack={onClose}
          onFullPage={(search) => void navigate({ to: '/traces/$traceId', params: { traceId }, search })}
        />
      </Suspense>
    </section>
  );
}

/** Handled before the keys of the trace, which may first close an overlay. */
function CloseKey({ onClose }: { onClose: () => void }) {
  useKeys('Beside the list', [{ on: ['Escape'], label: 'Close the trace', run: onClose }]);
  return null;
}
