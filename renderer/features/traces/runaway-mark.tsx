import { Suspense } from 'react';
import { lazyComponent } from '../../api/lazy-component.tsx';
import { useRunaways } from '../../api/runaways.ts';

/** Few lists have one, so the sign is not in the main bundle. */
const RunawaySign = lazyComponent(async () => (await import('./runaway-sign.tsx')).RunawaySign);

/** The sign of a trace that may be running away, in its place in the row. */
export function RunawayMark({ traceId }: { traceId: string }) {
  const found = useRunaways().filter(({ trace_id }) => trace_id === traceId);
  if (found.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <RunawaySign found={found} />
    </Suspense>
  );
}
