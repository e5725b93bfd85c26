/** What a client sends to create scores, one or many, and what it is told of each of many. */
import { z } from 'zod';
import { one } from '../core/envelope.ts';
import { text } from '../core/parameters.ts';

export const scoreSource = z.enum(['experiment', 'annotation', 'api']);

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
  id: z.uuid('must be a UUID').optional().meta({
    description: 'What makes it the same: sent again under it, it is there once. The id of the score is another, and the answer says it.',
  }),
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

const string = { type: 'string' as const };

/** Written out, because what a body is judged by is less than what it should be. */
const describedItem = {
  type: 'object' as const,
  required: [...requiredOfScore],
  properties: {
    resource_id: string,
    name: string,
    score: { type: 'number' as const },
    label: string,
    reason: string,
    source: { ...string, enum: scoreSource.options },
    session_id: string,
    client_id: { ...string, maxLength: 128 },
    id: {
      ...string,
      format: 'uuid',
      description: 'What makes it the same: sent again under it, it is there once. The answer says under which id.',
    },
  },
};

export const scoreBatch = z.object({
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

export const scoreBatchReply = one(
  z.object({ results: z.array(itemResult), summary: z.object({ total: z.int(), succeeded: z.int(), failed: z.int() }) }),
);
