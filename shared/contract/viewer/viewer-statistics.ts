/** Sums for the viewer's charts, counted in the store and never sampled. */
import { z } from 'zod';
import { one } from '../core/envelope.ts';
import { dateTime, text } from '../core/parameters.ts';
import { route } from '../core/route.ts';
import { activity, activityQuery } from './activity.ts';

const moment = z.iso.datetime();
const scoreBar = z.object({
  label: z.string().nullable().meta({ description: 'Of a category; null for a range of numbers.' }),
  from: z.number(),
  to: z.number(),
  count: z.int(),
});

const scoreDistribution = z
  .object({
    count: z.int(),
    min: z.number().nullable(),
    max: z.number().nullable(),
    mean: z.number().nullable(),
    bars: z
      .array(scoreBar)
      .meta({ description: 'Categories by their mean, or ranges of equal width; a range ends before the next begins.' }),
    time: z.array(z.object({ at: moment, count: z.int(), mean: z.number() })).meta({ description: 'Oldest first, in equal steps.' }),
    step_ms: z.number(),
  })
  .meta({ id: 'ScoreDistribution', description: 'All scores of one name, counted.' });
export type ScoreDistribution = z.output<typeof scoreDistribution>;

const distributionQuery = z.object({ name: text.min(1, 'must not be empty'), from: dateTime.optional(), to: dateTime.optional() });
export type DistributionQuery = z.output<typeof distributionQuery>;

const declare = { method: 'GET', tag: 'viewer', touches: ['telemetry'] } as const;

export const viewerStatistics = {
  activity: route({
    ...declare,
    id: 'viewer-activity',
    path: '/v1/viewer/activity',
    summary: 'Count traces, latencies, errors, tokens and costs of a range, over time and broken down',
    permission: 'trace.read',
    query: activityQuery,
    reply: one(activity),
    errors: ['invalid_filter'],
  }),
  scores: route({
    ...declare,
    id: 'viewer-score-distribution',
    path: '/v1/viewer/scores/distribution',
    summary: 'Count the scores of one name by their value and over time',
    permission: 'score.read',
    query: distributionQuery,
    reply: one(scoreDistribution),
    errors: [],
  }),
};
