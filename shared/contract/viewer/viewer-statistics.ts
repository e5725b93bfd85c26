/** Sums for the viewer's charts, counted in the store and never sampled. */
import { z } from 'zod';
import { one } from '../core/envelope.ts';
import { dateTime, limit, offset, text } from '../core/parameters.ts';
import { route } from '../core/route.ts';

const moment = z.iso.datetime();
const milliseconds = z.number().nullable();

const activityGroup = z.object({
  name: z.string().meta({ description: 'Of the model or prompt; empty for calls that name none.' }),
  calls: z.int(),
  errors: z.int(),
  input_tokens: z.int(),
  output_tokens: z.int(),
  cost: z.number(),
});
export type ActivityGroup = z.output<typeof activityGroup>;

const activityBucket = z
  .object({
    at: moment,
    traces: z.int(),
    errors: z.int().meta({ description: 'Traces that failed.' }),
    errors_inside: z.int().meta({ description: 'Traces that did not fail, with spans that failed. Additive.' }),
    spans: z.int(),
    input_tokens: z.int(),
    output_tokens: z.int(),
    cost: z.number(),
    p50_ms: milliseconds,
    p95_ms: milliseconds,
    p99_ms: milliseconds,
    groups: z.array(activityGroup).meta({ description: 'Its model calls, grouped as `by` requests.' }),
  })
  .meta({
    id: 'ActivityBucket',
    description: 'The traces that started within one time step. Latencies are of whole traces, by nearest rank; null without traces.',
  });
export type ActivityBucket = z.output<typeof activityBucket>;

const activity = z
  .object({
    buckets: z.array(activityBucket).meta({ description: 'Newest first. Only those that have traces.' }),
    next: z
      .int()
      .nullable()
      .meta({ description: 'Where to continue: `after` of the next request. Null when the whole range was counted.' }),
  })
  .meta({ id: 'Activity' });
export type Activity = z.output<typeof activity>;

const activityBucketsMax = 200;

const activityQuery = z
  .object({
    from: dateTime,
    to: dateTime,
    buckets: limit(60, activityBucketsMax),
    by: z.enum(['model', 'prompt']).default('model'),
    after: offset,
  })
  .refine(({ from, to }) => Date.parse(from) < Date.parse(to), { error: 'must be after from', path: ['to'] });
export type ActivityQuery = z.output<typeof activityQuery>;

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

const declare = { method: 'GET', tag: 'viewer', touches: ['telemetry'], errors: [] } as const;

export const viewerStatistics = {
  activity: route({
    ...declare,
    id: 'viewer-activity',
    path: '/v1/viewer/activity',
    summary: 'Count traces, latencies, errors, tokens and costs over time; large ranges are answered in parts',
    permission: 'metrics.read',
    query: activityQuery,
    reply: one(activity),
  }),
  scores: route({
    ...declare,
    id: 'viewer-score-distribution',
    path: '/v1/viewer/scores/distribution',
    summary: 'Count the scores of one name by their value and over time',
    permission: 'score.read',
    query: distributionQuery,
    reply: one(scoreDistribution),
  }),
};
