import { z } from 'zod';
import { many, one } from '../core/envelope.ts';
import { limit, offset } from '../core/parameters.ts';
import { route } from '../core/route.ts';

const commonFields = { id: z.string(), name: z.string(), commit_sha: z.string(), description: z.string().optional() };

export const scoreCategory = z.object({ label: z.string().min(1), value: z.number() });

export const scoreConfig = z
  .discriminatedUnion('data_type', [
    z.object({ ...commonFields, data_type: z.literal('boolean') }),
    z.object({ ...commonFields, data_type: z.literal('numeric'), min: z.number().optional(), max: z.number().optional() }),
    z.object({ ...commonFields, data_type: z.literal('categorical'), categories: z.array(scoreCategory).min(1) }),
  ])
  .meta({
    id: 'ScoreConfig',
    description: 'The values that a score of this name can have, as the project file defines them under `scores`.',
  });
export type ScoreConfig = z.output<typeof scoreConfig>;

const declare = { tag: 'scores', permission: 'score_config.read' } as const;

export const scoreConfigs = {
  list: route({
    ...declare,
    id: 'list-score-configs',
    method: 'GET',
    path: '/v1/score-configs',
    summary: 'List score configurations by name',
    query: z.object({ limit: limit(50, 1000), offset }),
    reply: many(scoreConfig),
    touches: ['config'],
    errors: ['invalid_project_file'],
  }),
  get: route({
    ...declare,
    id: 'get-score-config',
    method: 'GET',
    path: '/v1/score-configs/:name',
    summary: 'Read one score configuration',
    params: z.object({ name: z.string().min(1) }),
    reply: one(scoreConfig),
    touches: ['config'],
    errors: ['score_config_not_found', 'invalid_project_file'],
  }),
};
