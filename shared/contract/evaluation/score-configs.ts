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

/** Characters of a score whose type is text. */
export const scoreTextMax = 2000;

const category = z.object({ label: bounded(1, 100), value: z.number(), color: categoryColor.optional() });
const categories = z
  .array(category)
  .min(1, 'must not be empty')
  .max(50, 'must not be longer than 50')
  .refine(
    (all) => new Set(all.map(({ label }) => label)).size === all.length && new Set(all.map(({ value }) => value)).size === all.length,
    'must not have a label or a value twice',
  );

export type ScoreDefinition =
  | { data_type: 'boolean' }
  | { data_type: 'numeric'; min?: number; max?: number }
  | { data_type: 'categorical'; categories: z.output<typeof categories> }
  | { data_type: 'text' };

const definition = {
  data_type: z.enum(['boolean', 'numeric', 'categorical', 'text']),
  min: z.number().optional().meta({ description: 'The lowest value, for `numeric`.' }),
  max: z.number().optional().meta({ description: 'The highest value, for `numeric`.' }),
  categories: categories.optional().meta({ description: 'Required for `categorical`, and only for it.' }),
  description: bounded(0, 1000).optional().meta({ description: 'For reviewers.' }),
};

/** One schema of an object, because some clients know no other bodies. */
const consistent = <S extends z.ZodType<{ data_type: string; min?: unknown; max?: unknown; categories?: unknown }>>(schema: S): S =>
  schema.superRefine(({ data_type, min, max, categories }, { addIssue }) => {
    const problem = (field: string, message: string) => addIssue({ code: 'custom', path: [field], message });
    if (data_type !== 'numeric' && min !== undefined) problem('min', 'is for numeric scores');
    if (data_type !== 'numeric' && max !== undefined) problem('max', 'is for numeric scores');
    if (typeof min === 'number' && typeof max === 'number' && min >= max) problem('max', 'must be greater than min');
    if (data_type === 'categorical' && categories === undefined) problem('categories', 'is required for categorical scores');
    if (data_type !== 'categorical' && categories !== undefined) problem('categories', 'is for categorical scores');
  });

/** Control characters, and those that are invisible or change the direction of text. */
const hidden = /[\p{Cc}\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/u;
/** A name is part of an address, where dots alone have a meaning. */
const scoreName = bounded(1, 255).refine(
  (name) => name === name.trim() && name !== '.' && name !== '..' && !hidden.test(name),
  'must be visible text, without blanks at its ends, and not . or ..',
);

const newScoreConfig = consistent(z.object({ name: scoreName, ...definition }));
/** `archived` has no default, which would restore an archived one. */
const changedScoreConfig = consistent(z.object({ ...definition, archived: z.boolean() }));
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
