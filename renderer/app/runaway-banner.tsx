import { useLocation } from '@tanstack/react-router';
import { Suspense } from 'react';
import { lazyComponent } from '../api/lazy-component.tsx';
import { useFollowRunaways, useRunaways } from '../api/runaways.ts';

/** Most runs end by themselves, so the notice is not in the main bundle. */
const RunawayNotice = lazyComponent(async () => (await import('./runaway-notice.tsx')).RunawayNotice);

/** On every page, while a run may be running away: the worst one, or the one that the page shows. */
export function RunawayBanner() {
  useFollowRunaways();
  const path = useLocation({ select: ({ pathname }) => pathname });
  const running = useRunaways().filter(({ ended_at }) => ended_at === null);
  if (running.length === 0) return null;
  const shownTrace = /^\/traces\/(.+)$/.exec(path)?.[1];
  return (
    <Suspense fallback={null}>
      <RunawayNotice running={running} shownTrace={shownTrace === undefined ? null : decodeURIComponent(shownTrace)} />
    </Suspense>
  );
}
