/** What a client sends to create one score or a batch, and the result of each item of a batch. */
import { z } from 'zod';
import { one } from '../core/envelope.ts';
import { text } from '../core/parameters.ts';

export const scoreSource = z.enum(['experiment', 'annotation', 'api']);

const present = text.min(1, 'must not be empty');

const draftFields = z.object({
  resource_id: present.meta({ description: 'A trace or span id, which need not exist yet. `resourceId` is accepted as well.' }),
  name: present,
  score: z.number(),
  label: text.default(''),
  reason: text.default(''),
  source: scoreSource.default('api'),
  session_id: text.optional(),
});

const itemFields = draftFields.extend({
  id: z.uuid('must be a UUID').optional().meta({
    description: 'Idempotency key: an item that is sent again with it is stored once. The score has another id, which the answer gives.',
  }),
  client_id: text.max(128, 'must not be longer than 128').optional().meta({ description: 'Echoed in the result, not stored.' }),
});

/** The spelling of older SDKs. */
const withAlias = <T>(draft: T): T => {
  if (typeof draft !== 'object' || draft === null || !('resourceId' in draft)) return draft;
  return 'resource_id' in draft && draft.resource_id !== undefined ? draft : { ...draft, resource_id: draft.resourceId };
};

export const scoreDraft = z.preprocess(withAlias<z.input<typeof draftFields>>, draftFields);
export type ScoreDraft = z.output<typeof scoreDraft>;

/** One item of a batch. Items are validated one by one, so the schema of the body only requires a list of them. */
export const scoreItem = z.preprocess(withAlias<z.input<typeof itemFields>>, itemFields);

/** Keys an item must have; without one the item is refused as incomplete, not as invalid. */
export const requiredScoreKeys: readonly string[] = ['resource_id', 'name', 'score'];

export const scoresPerBatchMax = 1000;

const string = { type: 'string' as const };

/** Written out for the API document, because the schema of the body accepts more than an item should be. */
const describedItem = {
  type: 'object' as const,
  required: [...requiredScoreKeys],
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
      description: 'Idempotency key: an item that is sent again with it is stored once. The answer gives the id of the score.',
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
