import { z } from 'zod';
import { bodyLimits } from '../core/body-limit.ts';
import { many, nothing, one } from '../core/envelope.ts';
import { bounded, paging, text } from '../core/parameters.ts';
import { route } from '../core/route.ts';
import { queuePath } from './annotation-queues.ts';
import { scoresPerBatchMax } from './score-draft.ts';

const resourceType = z.enum(['trace', 'span', 'session']);
const itemStatus = z.enum(['pending', 'in_progress', 'completed', 'skipped']);
const moment = z.iso.datetime();

export const annotationItem = z
  .object({
    id: z.uuid(),
    queue_id: z.uuid(),
    resource_id: z.string(),
    resource_type: resourceType,
    status: itemStatus,
    assigned_to: z.string().nullable(),
    completed_by: z.string().nullable(),
    completed_at: moment.nullable(),
    created_at: moment,
  })
  .meta({ id: 'AnnotationItem' });

export const reviewer = z
  .object({
    id: z.uuid(),
    item_id: z.uuid(),
    user_id: z.string(),
    status: z.enum(['assigned', 'completed', 'skipped']),
    completed_at: moment.nullable(),
    created_at: moment,
  })
  .meta({ id: 'Reviewer' });

const newItems = z.object({
  items: z
    .array(z.object({ resource_id: text.min(1), resource_type: resourceType.default('trace') }))
    .min(1, 'must not be empty')
    .max(1000, 'must not be longer than 1000'),
});

const itemChange = z
  .object({ status: itemStatus.optional(), assigned_to: z.uuid().nullable().optional() })
  .refine((change) => Object.keys(change).length > 0, 'must change something');

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
  reviewer: bounded(1, 255)
    .refine((name) => !reservedName.test(name), 'must not be the id of a person or of a key')
    .optional()
    .meta({ description: 'Names an automated judge, for callers with an API key. Additive.' }),
});

const itemPath = queuePath.extend({ itemId: z.uuid() });
const declare = { tag: 'annotation-queues', only: 'cloud', touches: ['control'] } as const;

export const annotationItems = {
  list: route({
    ...declare,
    id: 'list-annotation-queue-items',
    method: 'GET',
    path: '/v1/annotation-queues/:queueId/items',
    summary: 'List the items of a queue, oldest first',
    permission: 'annotation_queue.read',
    params: queuePath,
    query: z.object({ ...paging, status: itemStatus.optional(), assigned_to: text.optional() }),
    reply: many(annotationItem),
    errors: ['annotation_queue_not_found'],
  }),
  add: route({
    ...declare,
    id: 'add-annotation-queue-items',
    method: 'POST',
    path: '/v1/annotation-queues/:queueId/items',
    summary: 'Add traces, spans or sessions to a queue',
    permission: 'annotation_queue.write',
    params: queuePath,
    bodyMax: bodyLimits.maximum / 10, // A thousand ids, which may be long because clients choose them.
    body: newItems,
    reply: one(z.object({ added: z.int() })),
    status: [201],
    errors: ['annotation_queue_not_found', 'queue_archived'],
  }),
  get: route({
    ...declare,
    id: 'get-annotation-queue-item',
    method: 'GET',
    path: '/v1/annotation-queues/:queueId/items/:itemId',
    summary: 'Read one item of a queue',
    permission: 'annotation_queue.read',
    params: itemPath,
    reply: one(annotationItem),
    errors: ['annotation_queue_item_not_found'],
  }),
  update: route({
    ...declare,
    id: 'update-annotation-queue-item',
    method: 'PATCH',
    path: '/v1/annotation-queues/:queueId/items/:itemId',
    summary: 'Assign an item, or change its status',
    permission: 'annotation_queue.write',
    params: itemPath,
    body: itemChange,
    reply: one(annotationItem),
    errors: ['annotation_queue_item_not_found'],
  }),
  remove: route({
    ...declare,
    id: 'delete-annotation-queue-item',
    method: 'DELETE',
    path: '/v1/annotation-queues/:queueId/items/:itemId',
    summary: 'Remove an item from a queue',
    permission: 'annotation_queue.delete',
    params: itemPath,
    reply: nothing,
    status: [204],
    errors: ['annotation_queue_item_not_found'],
  }),
  review: route({
    ...declare,
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
