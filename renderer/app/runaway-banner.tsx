import { useParams } from '@tanstack/react-router';
import { Suspense } from 'react';
import { lazyComponent } from '../api/lazy-component.tsx';
import { useFollowRunaways } from '../api/queries.ts';
import { runawaysKey, useRunaways } from '../api/runaways.ts';

/** Most runs end by themselves, so the notice is not in the main bundle. */
const RunawayNotice = lazyComponent(async () => (await import('./runaway-notice.tsx')).RunawayNotice);

/** On every page, while a run may be running away: the worst one, or the one that the page shows. */
export function RunawayBanner() {
  useFollowRunaways(runawaysKey);
  const shownTrace = useParams({ strict: false, select: (params) => ('traceId' in params ? params.traceId : undefined) });
  const running = useRunaways().filter(({ ended_at }) => ended_at === null);
  if (running.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <RunawayNotice running={running} shownTrace={shownTrace ?? null} />
    </Suspense>
  );
}
