/** Open items that get no more reviews are closed. Used within transactions of queues and members. */
import { and, eq, inArray, ne, type SQL, sql } from 'drizzle-orm';
import type { Queries } from './control-database.ts';
import { items, reviewers } from './schema/reviews.ts';

export const isOpen = inArray(items.status, ['pending', 'in_progress']);
const isReview = and(eq(reviewers.item_id, items.id), eq(reviewers.status, 'completed'));
const last = sql`(SELECT ${reviewers.user_id} FROM ${reviewers} WHERE ${isReview} ORDER BY ${reviewers.completed_at} DESC LIMIT 1)`;
const reviewsOf = (which: SQL | undefined): SQL => sql`(SELECT count(*) FROM ${reviewers} WHERE ${which})`;

/** Completes open items that now have enough reviews, as completed by the last reviewer. */
export async function completeReviewed(write: Queries, queueId: string, required: number, completed_at: string): Promise<void> {
  await write
    .update(items)
    .set({ status: 'completed', completed_by: last, completed_at })
    .where(and(eq(items.queue_id, queueId), isOpen, sql`${reviewsOf(isReview)} >= ${required}`))
    .run();
}

/** Closes open items that everybody whom the queue names has reviewed: nobody is left who may. Skipped, if all of them skipped it. */
export async function closeFinished(write: Queries, queueId: string, named: readonly string[] | null, now: string): Promise<void> {
  if (!named) return;
  const isTheirs = and(eq(reviewers.item_id, items.id), ne(reviewers.status, 'assigned'), inArray(reviewers.user_id, [...named]));
  const isCompleted = sql`${reviewsOf(isReview)} > 0`;
  await write
    .update(items)
    .set({
      status: sql`CASE WHEN ${isCompleted} THEN 'completed' ELSE 'skipped' END`,
      completed_by: last,
      completed_at: sql`CASE WHEN ${isCompleted} THEN ${now} END`,
    })
    .where(and(eq(items.queue_id, queueId), isOpen, sql`${reviewsOf(isTheirs)} >= ${named.length}`))
    .run();
}
