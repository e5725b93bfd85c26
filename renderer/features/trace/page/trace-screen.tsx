import { getRouteApi, useNavigate, useRouter } from '@tanstack/react-router';
import { TracePage } from './trace-page.tsx';
import { readTraceUrl, type TraceView } from './url.ts';

const route = getRouteApi('/traces/$traceId');

/** Page of one trace, with its view in the address. */
export function TraceScreen() {
  const { traceId } = route.useParams();
  const view = route.useSearch();
  const navigate = useNavigate();
  const { history } = useRouter();
  const show = (change: Partial<TraceView>) =>
    void navigate({ to: '/traces/$traceId', params: { traceId }, search: (now) => readTraceUrl({ ...now, ...change }), replace: true });
  // Back to the previous page with its filters, or to the list if this page was opened directly.
  const back = () => (history.canGoBack() ? history.back() : void navigate({ to: '/traces' }));
  return <TracePage traceId={traceId} host={view.window ? 'window' : 'full'} view={view} onView={show} onBack={back} />;
}
