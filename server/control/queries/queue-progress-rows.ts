/** Reviews of a queue, counted by reviewer and by day. The work is bounded: only so many items count. */
import { and, count, desc, eq, gte, inArray, isNotNull, ne, type SQL, sql } from 'drizzle-orm';
import type { QueueProgress } from '../../../shared/contract/evaluation/queue-progress.ts';
import { median } from '../../../shared/median.ts';
import type { Reads } from './control-database.ts';
import { isOpen } from './item-closing-rows.ts';
import { items, reviewers } from './schema/reviews.ts';

const itemsMax = 10_000;
const reviewersMax = 200;
const timesMax = 5000;

type Counts = QueueProgress['reviewers'][number];

/** @param dates days to count, oldest first */
export async function progressOf(reads: Reads, queueId: string, dates: readonly string[]): Promise<QueueProgress> {
  // Of a long queue, those that people have come to: it is reviewed from its oldest item on.
  const newest = reads
    .select({ id: items.id })
    .from(items)
    .where(eq(items.queue_id, queueId))
    .orderBy(sql`CASE WHEN ${items.status} = 'pending' THEN 1 ELSE 0 END`, desc(items.position))
    .limit(itemsMax);
  const isCounted = inArray(reviewers.item_id, newest);
  const { user_id, status, completed_at, seconds } = reviewers;
  const countOf = (which: SQL | undefined) => sql<number>`sum(CASE WHEN ${which} THEN 1 ELSE 0 END)`.mapWith(Number);
  // Nobody waits for the reviews that a closed item did not get.
  const assigned = countOf(and(eq(status, 'assigned'), isOpen));
  const [completed, skipped] = [countOf(eq(status, 'completed')), countOf(eq(status, 'skipped'))];
  const reviews = await reads
    .select({ user_id, assigned, completed, skipped })
    .from(reviewers)
    .innerJoin(items, eq(items.id, reviewers.item_id))
    .where(isCounted)
    .groupBy(user_id)
    .orderBy(desc(completed), desc(assigned), desc(skipped), user_id)
    .limit(reviewersMax)
    .all();
  const date = sql<string>`substr(${completed_at}, 1, 10)`;
  const isRecent = and(isCounted, ne(status, 'assigned'), gte(completed_at, dates[0] ?? ''));
  const daily = await reads.select({ date, status, reviews: count() }).from(reviewers).where(isRecent).groupBy(date, status).all();
  const isTimed = and(isCounted, eq(status, 'completed'), isNotNull(seconds));
  const times = await reads.select({ user_id, seconds }).from(reviewers).where(isTimed).orderBy(desc(completed_at)).limit(timesMax).all();
  const counted = await reads.select({ items: count() }).from(newest.as('newest')).get();
  const on = (day: string, which: 'completed' | 'skipped') =>
    daily.find((each) => each.date === day && each.status === which)?.reviews ?? 0;
  return {
    items_counted: counted?.items ?? 0,
    reviewers: byReviewer(reviews, times),
    days: dates.map((day) => ({ date: day, completed: on(day, 'completed'), skipped: on(day, 'skipped') })),
  };
}

function byReviewer(
  reviews: readonly Omit<Counts, 'median_seconds'>[],
  times: readonly { user_id: string; seconds: number | null }[],
): Counts[] {
  const timesOf = (user: string) => times.flatMap(({ user_id, seconds }) => (user_id === user ? (seconds ?? []) : []));
  return reviews
    .filter(({ assigned, completed, skipped }) => assigned + completed + skipped > 0)
    .map((counts) => ({ ...counts, median_seconds: median(timesOf(counts.user_id)) }));
}
