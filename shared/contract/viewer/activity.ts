/** What happened in a range of time: figures, the same in time steps, and broken down. Counted in the store and never sampled. */
import { z } from 'zod';
import { limit, milliseconds, ordered } from '../core/parameters.ts';
import { tracesInRange } from '../tracing/trace-list.ts';
import { activityBreakdowns } from './activity-shape.ts';

const ms = z.number().nullable();

const figures = {
  traces: z.int(),
  errors: z.int().meta({ description: 'Traces that failed.' }),
  errors_inside: z.int().meta({ description: 'Traces that did not fail, with spans that failed.' }),
  spans: z.int(),
  cost: z.number(),
  input_tokens: z.int().meta({ description: 'With those that were read from or written to a cache.' }),
  output_tokens: z.int(),
  cache_read_tokens: z.int().meta({ description: 'Input tokens of model calls that were read from a cache.' }),
  cache_write_tokens: z.int(),
  p50_ms: ms.meta({ description: 'Of the duration of whole traces, by nearest rank; null without traces.' }),
  p95_ms: ms,
  first_tokens: z.int().meta({ description: 'Model calls that reported a time to first token.' }),
  first_token_p50_ms: ms,
  first_token_p95_ms: ms,
};

const activityFigures = z.object(figures).meta({ id: 'ActivityFigures', description: 'Of traces that started in a range of time.' });
export type ActivityFigures = z.output<typeof activityFigures>;

const activityStep = z.object({ at: z.int().meta({ description: 'Start of the step, milliseconds since the epoch.' }), ...figures });
export type ActivityStep = z.output<typeof activityStep>;

const activityGroup = z
  .object({
    name: z.string().meta({ description: 'Empty for those that name none.' }),
    count: z.int().meta({ description: 'Model calls of a model or prompt, calls of a tool, traces of a user, service or tag.' }),
    errors: z.int().meta({ description: 'Those that failed.' }),
    errors_inside: z.int().meta({ description: 'Traces that did not fail, with spans that failed; 0 for calls.' }),
    p50_ms: z.number().meta({ description: 'Of the duration of these calls or traces, by nearest rank.' }),
    p95_ms: z.number(),
    first_tokens: z.int(),
    first_token_p50_ms: ms,
    input_tokens: z.int(),
    output_tokens: z.int(),
    cache_read_tokens: z.int(),
    cost: z.number(),
    series: z.array(z.number()).meta({ description: 'In each step the cost, or the count if no group has a cost.' }),
  })
  .meta({ id: 'ActivityGroup' });
export type ActivityGroup = z.output<typeof activityGroup>;

const activityTrace = z
  .object({
    id: z.string(),
    name: z.string(),
    at: z.int().meta({ description: 'Where lists sort it, milliseconds since the epoch.' }),
    duration_ms: z.number(),
    has_failed: z.boolean(),
    errors: z.int().meta({ description: 'Spans that failed.' }),
    running: z.int().meta({ description: 'Spans that have not ended.' }),
    cost: z.number(),
    input_tokens: z.int(),
    output_tokens: z.int(),
    cache_read_tokens: z.int(),
  })
  .meta({ id: 'ActivityTrace' });
export type ActivityTrace = z.output<typeof activityTrace>;

export const activity = z
  .object({
    totals: activityFigures,
    steps: z.array(activityStep).meta({ description: 'Oldest first. Only those that have traces.' }),
    groups: z.array(activityGroup).meta({ description: 'The most expensive first, then those with the highest count.' }),
    more: z.int().meta({ description: 'How many more groups there are.' }),
    traces: z
      .array(activityTrace)
      .nullable()
      .meta({ description: 'Each trace, oldest first, if they are few: at most 200, or 1,000 in a range of at most an hour.' }),
    is_whole: z.boolean().meta({ description: 'Whether all were counted; otherwise the newest, as far as the time allowed.' }),
    counted_from: z.int().nullable().meta({ description: 'Start of the oldest counted trace; null without any.' }),
  })
  .meta({ id: 'Activity' });
export type Activity = z.output<typeof activity>;

const stepsMax = 200;

export const activityQuery = ordered(
  tracesInRange.extend({
    from: milliseconds.meta({ description: 'Since the epoch, inclusive.' }),
    to: milliseconds.meta({ description: 'Since the epoch, exclusive.' }),
    steps: limit(60, stepsMax),
    by: z.enum(activityBreakdowns).default('model'),
  }),
).refine(({ from, to }) => from < to, { error: 'must be after from', path: ['to'] });
export type ActivityQuery = z.output<typeof activityQuery>;
