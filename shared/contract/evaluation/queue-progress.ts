/** How far an annotation queue is, and who did how much. Additive. */
import { z } from 'zod';
import { one } from '../core/envelope.ts';
import { route } from '../core/route.ts';

/** Days that are counted, with the current one. */
export const progressDays = 14;

const progress = z
  .object({
    items_counted: z.int().meta({ description: 'Items whose reviews are counted: those that people came to last, at most 10,000.' }),
    reviewers: z
      .array(
        z.object({
          user_id: z.string().meta({ description: 'A user, or a program by the name it gave itself or by its key.' }),
          assigned: z.int().meta({ description: 'Open items that wait for them.' }),
          completed: z.int().meta({ description: 'Reviews they completed.' }),
          skipped: z.int().meta({ description: 'Items they skipped.' }),
          median_seconds: z
            .number()
            .nullable()
            .meta({ description: 'Of their reviews among the newest 5000 with a time. Null without any.' }),
        }),
      )
      .meta({ description: 'The 200 with the most reviews, most first.' }),
    days: z
      .array(z.object({ date: z.iso.date(), completed: z.int(), skipped: z.int() }))
      .meta({ description: `Reviews on the last ${progressDays} days in UTC, oldest first.` }),
  })
  .meta({ id: 'AnnotationQueueProgress', description: 'How far a queue is, by reviewer and by day.' });
export type QueueProgress = z.output<typeof progress>;

export const queueProgress = {
  progress: route({
    tag: 'annotation-queues',
    only: 'cloud',
    touches: ['control'],
    id: 'get-annotation-queue-progress',
    method: 'GET',
    path: '/v1/annotation-queues/:queueId/progress',
    summary: 'Read who reviewed how much of a queue, and when',
    permission: 'annotation_queue.read',
    params: z.object({ queueId: z.uuid() }),
    reply: one(progress),
    errors: ['annotation_queue_not_found'],
  }),
};
