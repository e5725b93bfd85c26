/** Search parameters of the dashboard: the search line, the time range, and what the table breaks down by. */
import { z } from 'zod';
import { activityBreakdowns } from '../../../shared/contract/viewer/activity-shape.ts';
import { readUrl, urlFilter, urlMoment, urlOneOf, urlText } from '../../model/filter/url-shapes.ts';

export const ranges = ['1h', '24h', '7d', '30d', '90d'] as const;
export type Range = (typeof ranges)[number];

const shape = z.object({
  filter: urlFilter,
  environment: urlText,
  range: urlOneOf(ranges),
  from: urlMoment,
  to: urlMoment,
  by: urlOneOf(activityBreakdowns),
  compare: urlOneOf(['off']),
});
export type DashboardView = z.output<typeof shape>;

export function readDashboardUrl(search: unknown): DashboardView {
  const { from, to, ...view } = readUrl(shape, search);
  const isRange = view.range === undefined && from !== undefined && to !== undefined && from < to;
  return isRange ? { ...view, from, to } : view;
}

/** A view with some parameters changed. */
export const changedView = (view: DashboardView, change: { [K in keyof DashboardView]?: DashboardView[K] | undefined }): DashboardView =>
  readDashboardUrl({ ...view, ...change });
