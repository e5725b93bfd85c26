/** Reviews of the items of annotation queues. */
import { z } from 'zod';
import { bodyLimits } from '../core/body-limit.ts';
import { one } from '../core/envelope.ts';
import { bounded, text } from '../core/parameters.ts';
import { route } from '../core/route.ts';
import { annotationItem, itemPath, reviewer } from './annotation-item.ts';
import { scoresPerBatchMax } from './score-draft.ts';

/** Reviewer names that stand for people and keys. */
const reservedName = /^(api_key:.*|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

/** The scores and the comment of a review are written for the resource of the item, all or none. */
const review = z.object({
  status: z.enum(['completed', 'skipped']),
  scores: z
    .array(z.object({ name: text.min(1), score: z.number(), label: text.default(''), reason: text.default('') }))
    .max(scoresPerBatchMax, `must not be longer than ${scoresPerBatchMax}`)
    .default([])
    .meta({ description: 'Written with source `annotation`. Additive.' }),
  comment: bounded(1, 10_000).optional(),
  seconds: z
    .number()
    .min(0, 'must be at least 0')
    .max(86_400, 'must be at most 86400')
    .optional()
    .meta({ description: 'How long the reviewer looked at the item, for the progress of the queue. Additive.' }),
  reviewer: bounded(1, 255)
    .refine((name) => !reservedName.test(name), 'must not be the id of a person or of a key')
    .optional()
    .meta({ description: 'Names an automated judge, for callers with an API key. Additive.' }),
});

export const itemReviews = {
  review: route({
    tag: 'annotation-queues',
    only: 'cloud',
    id: 'submit-annotation-queue-review',
    method: 'POST',
    path: '/v1/annotation-queues/:queueId/items/:itemId/reviews',
    summary: 'Submit a review, by a person or an automated judge',
    permission: 'annotation_queue.review',
    params: itemPath,
    bodyMax: bodyLimits.maximum / 2, // A thousand scores with their reasons.
    body: review,
    reply: one(
      z.object({ reviewer, item: annotationItem, review_progress: z.object({ completed: z.int(), total: z.int(), required: z.int() }) }),
    ),
    status: [201],
    touches: ['config', 'control'],
    errors: ['annotation_queue_item_not_found', 'queue_item_closed', 'review_already_submitted', 'invalid_project_file'],
  }),
};
