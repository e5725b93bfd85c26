import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { readTraceUrl, type TraceView } from '../features/trace/url.ts';

const TracePage = lazy(() => import('../features/trace/trace-page.tsx').then((module) => ({ default: module.TracePage })));

/** A trace beside the list it was found in. The list keeps its place; Enter takes what is looked at along to the whole page. */
export function TracePeek({ traceId, onClose }: { traceId: string; onClose: () => void }) {
  const navigate = useNavigate();
  const [view, setView] = useState<TraceView>({});
  return (
    <section
      aria-label="Trace"
      className="enter-layer fixed inset-y-0 right-0 z-30 flex w-[min(100%,max(var(--spacing-peek),66%))] flex-col border-line-2 border-l bg-bg shadow-layer"
    >
      <Suspense fallback={null}>
        <TracePage
          traceId={traceId}
          host="peek"
          view={view}
          onView={(change) => setView((now) => readTraceUrl({ ...now, ...change }))}
          onBack={onClose}
          onWhole={() => void navigate({ to: '/traces/$traceId', params: { traceId }, search: view })}
        />
      </Suspense>
    </section>
  );
}
