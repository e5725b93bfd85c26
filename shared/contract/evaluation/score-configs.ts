import { z } from 'zod';
import { many, one } from '../core/envelope.ts';
import { bounded, flag, limit, offset } from '../core/parameters.ts';
import { route } from '../core/route.ts';

export const categoryColors = ['green', 'amber', 'red', 'blue', 'violet', 'teal', 'grey'] as const;
export type CategoryColor = (typeof categoryColors)[number];
export const categoryColor = z.enum(categoryColors);

export const scoreCategory = z.object({ label: z.string().min(1), value: z.number(), color: categoryColor.optional() });

const commonFields = {
  id: z.string(),
  name: z.string(),
  commit_sha: z.string().meta({ description: 'Empty for one that was created here, and outside version control.' }),
  description: z.string().optional(),
  source: z.enum(['project_file', 'created']).meta({ description: '`created`: in the viewer or through the API.' }),
  archived: z.boolean().meta({ description: 'No longer offered. Reviews of queues that ask for it are still checked.' }),
  hides_created: z
    .literal(true)
    .optional()
    .meta({ description: 'One of this name was also created here. It has no effect while the project file defines the name.' }),
};

export const scoreConfig = z
  .discriminatedUnion('data_type', [
    z.object({ ...commonFields, data_type: z.literal('boolean') }),
    z.object({ ...commonFields, data_type: z.literal('numeric'), min: z.number().optional(), max: z.number().optional() }),
    z.object({ ...commonFields, data_type: z.literal('categorical'), categories: z.array(scoreCategory).min(1) }),
    z.object({ ...commonFields, data_type: z.literal('text') }),
  ])
  .meta({
    id: 'ScoreConfig',
    description:
      'The values that a score of this name can have, as the project file defines them under `scores`, or as created here. A `text` is the label of a score of 0.',
  });
export type ScoreConfig = z.output<typeof scoreConfig>;

const category = z.object({ label: bounded(1, 100), value: z.number(), color: categoryColor.optional() });
const categories = z
  .array(category)
  .min(1, 'must not be empty')
  .max(50, 'must not be longer than 50')
  .refine(
    (all) => new Set(all.map(({ label }) => label)).size === all.length && new Set(all.map(({ value }) => value)).size === all.length,
    'must not have a label or a value twice',
  );

function isRange(definition: object): boolean {
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = definition as { min?: number; max?: number };
  return min < max;
}

/** The definition with other fields of a body. */
const definitionWith = <F extends z.ZodRawShape>(fields: F) =>
  z.discriminatedUnion('data_type', [
    z.object({ ...fields, data_type: z.literal('boolean') }),
    z
      .object({ ...fields, data_type: z.literal('numeric'), min: z.number().optional(), max: z.number().optional() })
      .refine(isRange, { path: ['max'], message: 'must be greater than min' }),
    z.object({ ...fields, data_type: z.literal('categorical'), categories }),
    z.object({ ...fields, data_type: z.literal('text') }),
  ]);

const description = bounded(0, 1000).optional();
const newScoreConfig = definitionWith({ name: bounded(1, 255), description });
const changedScoreConfig = definitionWith({ description, archived: z.boolean().default(false) });
export type NewScoreConfig = z.input<typeof newScoreConfig>;

const read = { tag: 'scores', permission: 'score_config.read', touches: ['config'] } as const;
const params = z.object({ name: z.string().min(1) });

export const scoreConfigs = {
  list: route({
    ...read,
    id: 'list-score-configs',
    method: 'GET',
    path: '/v1/score-configs',
    summary: 'List score configurations by name',
    query: z.object({ limit: limit(50, 1000), offset, include_archived: flag }),
    reply: many(scoreConfig),
    errors: ['invalid_project_file'],
  }),
  get: route({
    ...read,
    id: 'get-score-config',
    method: 'GET',
    path: '/v1/score-configs/:name',
    summary: 'Read one score configuration',
    params,
    reply: one(scoreConfig),
    errors: ['score_config_not_found', 'invalid_project_file'],
  }),
};

const change = { tag: 'scores', permission: 'score_config.write', only: 'cloud', touches: ['control', 'config'] } as const;

/** Additive, for teams: on one machine the project file has them all. */
export const scoreConfigChanges = {
  create: route({
    ...change,
    id: 'create-score-config',
    method: 'POST',
    path: '/v1/score-configs',
    summary: 'Create a score configuration',
    body: newScoreConfig,
    reply: one(scoreConfig),
    status: [201],
    errors: ['duplicate_score_config_name', 'invalid_project_file'],
  }),
  replace: route({
    ...change,
    id: 'replace-score-config',
    method: 'PUT',
    path: '/v1/score-configs/:name',
    summary: 'Replace, archive or restore a score configuration that was created here',
    params,
    body: changedScoreConfig,
    reply: one(scoreConfig),
    errors: ['score_config_not_found', 'score_config_in_project_file', 'invalid_project_file'],
  }),
};
