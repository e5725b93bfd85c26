import { z } from 'zod';
import { all } from '../core/envelope.ts';
import { date, ordered } from '../core/parameters.ts';
import { route } from '../core/route.ts';

export const scoreAggregation = z
  .object({
    name: z.string(),
    avg_score: z.number(),
    count: z.int(),
    min_score: z.number(),
    max_score: z.number(),
    data_type: z
      .enum(['boolean', 'numeric', 'categorical', ''])
      .optional()
      .meta({ description: 'Inferred from the labels: all true or false, other words, or none. Additive.' }),
  })
  .meta({ id: 'ScoreAggregation' });

export type ScoreAggregation = z.output<typeof scoreAggregation>;

export const scoreAnalytics = {
  aggregate: route({
    id: 'get-score-aggregations',
    method: 'GET',
    path: '/v1/scores/aggregations',
    summary: 'Summarise scores by name',
    tag: 'scores',
    permission: 'score.read',
    query: ordered(z.object({ start_date: date.optional(), end_date: date.optional() })),
    reply: all(scoreAggregation),
    errors: [],
    touches: ['telemetry'],
    only: 'cloud',
  }),
};
