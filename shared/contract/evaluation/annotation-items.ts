import { z } from 'zod';
import { bodyLimits } from '../core/body-limit.ts';
import { many, nothing, one } from '../core/envelope.ts';
import { paging, text } from '../core/parameters.ts';
import { route } from '../core/route.ts';
import { annotationItem, itemPath, itemStatus, resourceType } from './annotation-item.ts';
import { queuePath } from './annotation-queues.ts';
import { itemReviews } from './item-reviews.ts';

const newItems = z.object({
  items: z
    .array(z.object({ resource_id: text.min(1), resource_type: resourceType.default('trace') }))
    .min(1, 'must not be empty')
    .max(1000, 'must not be longer than 1000'),
});

const itemChange = z
  .object({ status: itemStatus.optional(), assigned_to: z.uuid().nullable().optional() })
  .refine((change) => Object.keys(change).length > 0, 'must change something');

/** Items of one assignment. */
const assignedMax = 200;
const assignment = z.object({
  item_ids: z
    .array(z.uuid())
    .min(1, 'must not be empty')
    .max(assignedMax, `must not be longer than ${assignedMax}`)
    .meta({ description: 'Ids of items. Those that are closed, or that the member has reviewed, stay as they are.' }),
  assigned_to: z.uuid().nullable().meta({ description: 'The member who is to review them, in place of others. Null: nobody.' }),
});

const forMe = z.enum(['assigned', 'free']).meta({
  description:
    'Open items for the caller: `assigned` to them and not reviewed yet, or `free`, which they may review, have not seen, and nobody else has taken. ' +
    'A key has none. The total is counted up to 1000. Additive.',
});

const declare = { tag: 'annotation-queues', only: 'cloud', touches: ['control'] } as const;

export const annotationItems = {
  ...itemReviews,
  list: route({
    ...declare,
    id: 'list-annotation-queue-items',
    method: 'GET',
    path: '/v1/annotation-queues/:queueId/items',
    summary: 'List the items of a queue, oldest first',
    permission: 'annotation_queue.read',
    params: queuePath,
    query: z.object({ ...paging, status: itemStatus.optional(), assigned_to: text.optional(), for_me: forMe.optional() }),
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
  assign: route({
    ...declare,
    id: 'assign-annotation-queue-items',
    method: 'POST',
    path: '/v1/annotation-queues/:queueId/items/assign',
    summary: 'Assign items to a member, or to nobody',
    permission: 'annotation_queue.write',
    params: queuePath,
    body: assignment,
    reply: one(z.object({ assigned: z.int().meta({ description: 'Number of items that changed.' }) })),
    errors: ['annotation_queue_not_found'],
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
};
