import { z } from 'zod';
import { all, many, nothing, one } from './envelope.ts';
import { date, limit, offset, ordered, text } from './parameters.ts';
import { route } from './route.ts';

export const scoreSource = z.enum(['experiment', 'annotation', 'api']);

export const score = z
  .object({
    id: z.uuid(),
    resource_id: z.string(),
    name: z.string(),
    score: z.number(),
    label: z.string(),
    reason: z.string(),
    source: z.string(),
    user_id: z.string().optional(),
    created_at: z.iso.datetime(),
    session_id: z.string().optional().meta({ description: 'The session the score was given to. Additive.' }),
  })
  .meta({ id: 'Score', description: 'A value attached to a trace or a span after the fact. Never changed: a later score of the same name stands beside it.' });
export type Score = z.output<typeof score>;

const present = text.min(1, 'must not be empty');

const draftFields = z.object({
  resource_id: present.meta({ description: 'A trace or span id, which need not be known yet. `resourceId` is taken as well.' }),
  name: present,
  score: z.number(),
  label: text.default(''),
  reason: text.default(''),
  source: scoreSource.default('api'),
  session_id: text.optional(),
});

const itemFields = draftFields.extend({
  client_id: text.max(128, 'must not be longer than 128').optional().meta({ description: 'Echoed in the result, not stored.' }),
});

/** The spelling of older SDKs. */
const withAlias = <T>(sent: T): T => {
  if (typeof sent !== 'object' || sent === null || !('resourceId' in sent)) return sent;
  return 'resource_id' in sent && sent.resource_id !== undefined ? sent : { ...sent, resource_id: sent.resourceId };
};

export const scoreDraft = z.preprocess(withAlias<z.input<typeof draftFields>>, draftFields);
export type ScoreDraft = z.output<typeof scoreDraft>;

/** One item of a batch. Each is judged alone, so the body of the route only says that there are some. */
export const scoreItem = z.preprocess(withAlias<z.input<typeof itemFields>>, itemFields);

/** Keys an item must have; without one the item is refused as incomplete, not as wrong. */
export const requiredOfScore: readonly string[] = ['resource_id', 'name', 'score'];

export const scoresPerBatchMax = 1000;

const string = { type: 'string' } as const;

/** Written out, because what a body is judged by is less than what it should be. */
const describedItem = {
  type: 'object',
  required: [...requiredOfScore],
  properties: {
    resource_id: string,
    name: string,
    score: { type: 'number' },
    label: string,
    reason: string,
    source: { ...string, enum: scoreSource.options },
    session_id: string,
    client_id: { ...string, maxLength: 128 },
  },
} as const;

const batch = z.object({
  scores: z
    .array(z.unknown())
    .min(1, 'must not be empty')
    .meta({ override: { type: 'array', minItems: 1, maxItems: scoresPerBatchMax, items: describedItem } }),
});

const clientId = z.string().optional();

const itemResult = z.discriminatedUnion('status', [
  z.object({ status: z.literal('success'), id: z.uuid(), client_id: clientId }),
  z.object({
    status: z.literal('error'),
    error: z.object({ code: z.enum(['missing_required_field', 'invalid_field_value']), message: z.string() }),
    client_id: clientId,
  }),
]);
export type ScoreItemResult = z.output<typeof itemResult>;

export const scoreQuery = ordered(
  z.object({
    limit: limit(50, 1000),
    offset,
    start_date: date.optional(),
    end_date: date.optional(),
    resource_id: text.optional(),
    resourceId: text.optional().meta({ description: 'Older spelling of `resource_id`.' }),
    resource_type: z.enum(['trace', 'span']).optional().meta({ description: 'Scores whose resource is a known trace, or a known span.' }),
    name: text.optional(),
    source: scoreSource.optional(),
    session_id: text.optional().meta({ description: 'Scores of the session, of its traces and of their spans.' }),
  }),
);
export type ScoreQuery = Omit<z.output<typeof scoreQuery>, 'resourceId'>;

const scorePath = z.object({ scoreId: z.string().min(1) });
const declare = { tag: 'scores', errors: [] } as const;

export const scores = {
  create: route({
    ...declare,
    id: 'create-score',
    method: 'POST',
    path: '/v1/scores',
    summary: 'Score a trace or a span',
    permission: 'score.write',
    body: scoreDraft,
    reply: z.object({ data: score, id: z.uuid(), message: z.string() }),
    status: [201],
  }),
  createBatch: route({
    ...declare,
    id: 'create-scores-batch',
    method: 'POST',
    path: '/v1/scores/batch',
    summary: 'Create up to 1000 scores, each judged alone',
    permission: 'score.write',
    body: batch,
    reply: one(
      z.object({ results: z.array(itemResult), summary: z.object({ total: z.int(), succeeded: z.int(), failed: z.int() }) }),
    ),
    status: [201, 207, 400],
  }),
  list: route({
    ...declare,
    id: 'list-scores',
    method: 'GET',
    path: '/v1/scores',
    summary: 'List scores, newest first',
    permission: 'score.read',
    query: scoreQuery,
    reply: many(score),
  }),
  names: route({
    ...declare,
    id: 'list-score-names',
    method: 'GET',
    path: '/v1/scores/names',
    summary: 'List the names that scores have',
    permission: 'score.read',
    reply: all(z.string()),
  }),
  get: route({
    ...declare,
    id: 'get-score',
    method: 'GET',
    path: '/v1/scores/:scoreId',
    summary: 'Read one score',
    permission: 'score.read',
    params: scorePath,
    reply: one(score),
    errors: ['score_not_found'],
  }),
  remove: route({
    ...declare,
    id: 'delete-score',
    method: 'DELETE',
    path: '/v1/scores/:scoreId',
    summary: 'Delete a score',
    permission: 'score.delete',
    params: scorePath,
    reply: nothing,
    status: [204],
    errors: ['score_not_found'],
  }),
};
