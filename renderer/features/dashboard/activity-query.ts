import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Activity } from '../../../shared/contract/viewer/activity.ts';
import { gateway } from '../../api/client.ts';
import { useFollow } from '../../api/queries.ts';
import { type Period, periodBefore, periodOf, periodWithData } from './period.ts';
import type { DashboardView } from './url.ts';

const always = () => true;

export interface Shown {
  /** What it was read for: that of the page may be another one, whose answer is on its way. */
  view: DashboardView;
  activity: Activity;
  /** The same length before; null when it is not compared, or one of the two was counted in part. */
  before: Activity | null;
  /** What was asked for. */
  period: Period;
  /** What the steps of the activity are of: it may begin later. */
  shown: Period;
}

const read = async ({ filter, environment, by = 'model' }: DashboardView, period: Period): Promise<Activity> => {
  const query = { ...period, by, ...(filter !== undefined && { filter }), ...(environment !== undefined && { environment }) };
  return (await gateway.viewerStatistics.activity({ query })).data;
};

async function readShown(view: DashboardView): Promise<Shown> {
  const period = periodOf(view, Date.now());
  const earlier = view.compare === 'off' ? null : periodBefore(period);
  const [activity, before] = await Promise.all([read(view, period), earlier && read(view, earlier)]);
  // Of a part of the traces neither the first nor what is more than before is known.
  if (!activity.is_whole) return { activity, before: null, period, shown: period, view };
  const shown = periodWithData(period, activity.steps[0]?.at);
  const compared = before?.is_whole ? before : null;
  return { activity: shown === period ? activity : await read(view, shown), before: compared, period, shown, view };
}

/** @param isEnabled whether the filter can be read */
export function useActivity(view: DashboardView, isEnabled: boolean) {
  const key = JSON.stringify(view, Object.keys(view).sort());
  const queryKey = useMemo(() => ['activity', key], [key]);
  useFollow(queryKey, always);
  return useQuery({ queryKey, enabled: isEnabled, queryFn: () => readShown(view), placeholderData: keepPreviousData, staleTime: 0 });
}
