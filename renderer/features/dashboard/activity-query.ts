import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { ActivityBucket } from '../../../shared/contract/viewer/viewer-statistics.ts';
import { gateway } from '../../api/client.ts';
import { useFollow } from '../../api/queries.ts';
import { bySteps, type Span, spanOf } from './activity.ts';
import type { DashboardView } from './url.ts';

const always = () => true;

/** Buckets received so far while the range is being fetched. */
interface Progress {
  name: string;
  buckets: readonly ActivityBucket[];
}

/** Fetches the range in parts, newest first. `report` receives all buckets so far after each part. */
async function readActivity(span: Span, by: 'model' | 'prompt', report: (buckets: readonly ActivityBucket[]) => void, signal: AbortSignal) {
  let buckets: ActivityBucket[] = [];
  let after: number | null = 0;
  while (after !== null && !signal.aborted) {
    const query = { from: new Date(span.from).toISOString(), to: new Date(span.to).toISOString(), buckets: span.steps, by, after };
    const { data } = await gateway.viewerStatistics.activity({ query });
    buckets = [...buckets, ...data.buckets];
    after = data.next;
    if (after !== null) report(buckets);
  }
  return buckets;
}

export function useActivity({ range = '24h', by = 'model' }: Omit<DashboardView, 'by'> & { by?: 'model' | 'prompt' | undefined }) {
  const name = `${range} ${by}`;
  const queryKey = ['activity', range, by];
  const [progress, setProgress] = useState<Progress | null>(null);
  useFollow(queryKey, always);
  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const span = spanOf(range, Date.now());
      const report = (buckets: readonly ActivityBucket[]) => setProgress({ name, buckets });
      return { span, buckets: await readActivity(span, by, report, signal) };
    },
    staleTime: 0,
  });
  const loaded = query.data?.buckets ?? (progress?.name === name ? progress.buckets : undefined);
  const span = useMemo(() => query.data?.span ?? spanOf(range, Date.now()), [query.data, range]);
  const steps = useMemo(() => loaded && bySteps(span, loaded), [loaded, span]);
  return { query, span, steps, isPartial: query.data === undefined && loaded !== undefined };
}
