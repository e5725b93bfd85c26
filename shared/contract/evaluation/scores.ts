import { z } from 'zod';
import { bodyLimits } from '../core/body-limit.ts';
import { all, many, nothing, one } from '../core/envelope.ts';
import { date, limit, offset, ordered, text } from '../core/parameters.ts';
import { route } from '../core/route.ts';
import { scoreBatch, scoreBatchReply, scoreDraft, scoreSource } from './score-draft.ts';

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
    session_id: z.string().optional().meta({ description: 'The session that was scored. Additive.' }),
  })
  .meta({
    id: 'Score',
    description: 'A value attached to a trace or a span after the fact. Never changed: a later score of the same name is stored beside it.',
  });
export type Score = z.output<typeof score>;

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
const declare = { tag: 'scores', errors: [], touches: ['telemetry'] } as const;

export const scores = {
  create: route({
    ...declare,
    id: 'create-score',
    method: 'POST',
    path: '/v1/scores',
    summary: 'Score a trace or a span',
    permission: 'score.write',
    bodyMax: bodyLimits.maximum, // The reason of a judge has no limit of its own.
    body: scoreDraft,
    reply: z.object({ data: score, id: z.uuid(), message: z.string() }),
    status: [201],
  }),
  createBatch: route({
    ...declare,
    id: 'create-scores-batch',
    method: 'POST',
    path: '/v1/scores/batch',
    summary: 'Create up to 1000 scores, each validated separately',
    permission: 'score.write',
    bodyMax: bodyLimits.maximum, // A thousand scores, each with the reason of a judge.
    body: scoreBatch,
    reply: scoreBatchReply,
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
    summary: 'List the names of scores',
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
