/** Search parameters of the dashboard: time range and grouping. */
import { z } from 'zod';
import { readUrl, urlOneOf } from '../../model/filter/url-shapes.ts';

export const ranges = ['1h', '24h', '7d', '30d', '90d'] as const;
export type Range = (typeof ranges)[number];

const shape = z.object({ range: urlOneOf(ranges), by: urlOneOf(['prompt']) });
export type DashboardView = z.output<typeof shape>;

export const readDashboardUrl = (search: unknown): DashboardView => readUrl(shape, search);
