import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { QueueScreen } from '../features/queues/queue-screen.tsx';
import type { ResourceLocation } from '../features/queues/review-work.tsx';
import { TracePage } from '../features/trace/page/trace-page.tsx';
import { readTraceUrl, type TraceView } from '../features/trace/page/url.ts';

/** Queue page, with items drawn like the page of a trace. */
export const QueuePage = () => (
  <QueueScreen show={(place, onBack) => <QueueItemTrace key={`${place.trace_id} ${place.span_id}`} place={place} onBack={onBack} />} />
);

function QueueItemTrace({ place: { trace_id: traceId, span_id }, onBack }: { place: ResourceLocation; onBack: () => void }) {
  const navigate = useNavigate();
  const [view, setView] = useState<TraceView>(span_id === null ? {} : { span: span_id });
  return (
    <TracePage
      traceId={traceId}
      host="panel"
      view={view}
      onView={(change) => setView((current) => readTraceUrl({ ...current, ...change }))}
      onBack={onBack}
      onFullPage={(search) => void navigate({ to: '/traces/$traceId', params: { traceId }, search })}
    />
  );
}
