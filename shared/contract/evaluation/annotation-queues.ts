import { z } from 'zod';
import { many, nothing, one } from '../core/envelope.ts';
import { bounded, flag, paging } from '../core/parameters.ts';
import { route } from '../core/route.ts';
import { queueProgress } from './queue-progress.ts';
import { queueRules } from './queue-rules.ts';

const ofReviewers = {
  description: 'Members who review the queue. Null: everybody who may review. Keys always may. Additive.',
};
const ofSharing = {
  description:
    'Whether new items are assigned to those in `reviewer_ids`, each to `reviewers_required` of them with the fewest open items in this queue. Additive.',
};

export const annotationQueue = z
  .object({
    id: z.uuid(),
    app_id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    score_config_names: z.array(z.string()).nullable(),
    dataset_id: z.uuid().nullable(),
    status: z.enum(['active', 'completed', 'archived']),
    instructions: z.string().nullable(),
    reviewers_required: z.int().min(1),
    created_by: z.string().nullable(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime().nullable(),
    reviewer_ids: z.array(z.uuid()).nullable().meta(ofReviewers),
    shares_evenly: z.boolean().meta(ofSharing),
    waiting_for_me: z.int().meta({ description: 'Open items that wait for the review of the caller, as assigned. 0 for a key. Additive.' }),
    progress: z.object({ pending: z.int(), in_progress: z.int(), completed: z.int(), skipped: z.int(), total: z.int() }),
  })
  .meta({ id: 'AnnotationQueue', description: 'Traces, spans and sessions for people to review.' });

const name = bounded(1, 255);
const description = bounded(0, 1000);
const instructions = bounded(0, 5000);
const scoreConfigNames = z.array(bounded(1, 255)).min(1, 'must not be empty');
const reviewersRequired = z.int().min(1, 'must be at least 1').max(50, 'must be at most 50');

const reviewerIds = z
  .array(z.uuid())
  .min(1, 'must name somebody')
  .max(50, 'must not be longer than 50')
  .transform((ids) => [...new Set(ids.map((id) => id.toLowerCase()))]);

const newQueue = z.object({
  name,
  score_config_names: scoreConfigNames,
  description: description.optional(),
  instructions: instructions.optional(),
  dataset_id: z.uuid().optional(),
  reviewers_required: reviewersRequired.default(1),
  reviewer_ids: reviewerIds.nullable().default(null).meta(ofReviewers),
  shares_evenly: z.boolean().default(false).meta(ofSharing),
});

const queueChange = z
  .object({
    name: name.optional(),
    description: description.nullable().optional(),
    status: annotationQueue.shape.status.optional(),
    score_config_names: scoreConfigNames.nullable().optional(),
    instructions: instructions.nullable().optional(),
    reviewers_required: reviewersRequired.optional(),
    reviewer_ids: reviewerIds.nullable().optional().meta(ofReviewers),
    shares_evenly: z.boolean().optional().meta(ofSharing),
  })
  .refine((change) => Object.keys(change).length > 0, 'must change something');

export const queuePath = z.object({ queueId: z.uuid() });
const declare = { tag: 'annotation-queues', only: 'cloud', touches: ['control'] } as const;

export const annotationQueues = {
  ...queueRules,
  ...queueProgress,
  list: route({
    ...declare,
    id: 'list-annotation-queues',
    method: 'GET',
    path: '/v1/annotation-queues',
    summary: 'List annotation queues, newest first',
    permission: 'annotation_queue.read',
    query: z.object({ ...paging, assigned_to_me: flag }),
    reply: many(annotationQueue),
    errors: [],
  }),
  create: route({
    ...declare,
    id: 'create-annotation-queue',
    method: 'POST',
    path: '/v1/annotation-queues',
    summary: 'Create an annotation queue',
    permission: 'annotation_queue.write',
    body: newQueue,
    reply: one(annotationQueue),
    status: [201],
    errors: [],
  }),
  get: route({
    ...declare,
    id: 'get-annotation-queue',
    method: 'GET',
    path: '/v1/annotation-queues/:queueId',
    summary: 'Read one annotation queue',
    permission: 'annotation_queue.read',
    params: queuePath,
    reply: one(annotationQueue),
    errors: ['annotation_queue_not_found'],
  }),
  update: route({
    ...declare,
    id: 'update-annotation-queue',
    method: 'PATCH',
    path: '/v1/annotation-queues/:queueId',
    summary: 'Change an annotation queue',
    permission: 'annotation_queue.write',
    params: queuePath,
    body: queueChange,
    reply: one(annotationQueue),
    errors: ['annotation_queue_not_found'],
  }),
  remove: route({
    ...declare,
    id: 'delete-annotation-queue',
    method: 'DELETE',
    path: '/v1/annotation-queues/:queueId',
    summary: 'Delete an annotation queue with its items and reviewers; scores stay',
    permission: 'annotation_queue.delete',
    params: queuePath,
    reply: nothing,
    status: [204],
    errors: ['annotation_queue_not_found'],
  }),
};
