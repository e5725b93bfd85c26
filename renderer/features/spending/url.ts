/** Search parameters of the page of spending. */
import { z } from 'zod';
import { readUrl, urlOneOf } from '../../model/filter/url-shapes.ts';

export const ranges = ['7d', '30d', '90d', '365d'] as const;
export type Range = (typeof ranges)[number];
export const breakdowns = ['project', 'model', 'agent'] as const;
export type Breakdown = (typeof breakdowns)[number];

/** What is not the default. */
const shape = z.object({ range: urlOneOf(ranges), by: urlOneOf(breakdowns) });
export type SpendingView = z.output<typeof shape>;

export const readSpendingUrl = (search: unknown): SpendingView => readUrl(shape, search);
