import { useNavigate } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { later } from '../api/later.tsx';
import { PeekClose } from '../features/trace/peek-close.tsx';
import { TraceSkeleton } from '../features/trace/trace-skeleton.tsx';
import { readTraceUrl, type TraceView } from '../features/trace/url.ts';
import { useKeys } from '../ui/keys.tsx';
import { WaitingScreen } from './waiting-screen.tsx';

const TracePage = later(async () => (await import('../features/trace/trace-page.tsx')).TracePage);

/** A trace beside the list it was found in. The list keeps its place; Enter takes what is looked at along to the whole page. */
export function TracePeek({ traceId, onClose }: { traceId: string; onClose: () => void }) {
  const navigate = useNavigate();
  const [view, setView] = useState<TraceView>({});
  return (
    <section
      aria-label="Trace"
      className="enter-layer fixed inset-y-0 right-0 z-30 flex w-[min(100%,max(var(--spacing-peek),66%))] flex-col border-line-2 border-l bg-bg shadow-layer"
    >
      <CloseKey onClose={onClose} />
      <Suspense
        fallback={
          <>
            <PeekClose onClose={onClose} />
            <WaitingScreen of={<TraceSkeleton />} />
          </>
        }
      >
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

/** Before the keys of the trace, which may first close what lies over it. */
function CloseKey({ onClose }: { onClose: () => void }) {
  useKeys('Beside the list', [{ on: ['Escape'], label: 'Close the trace', run: onClose }]);
  return null;
}
