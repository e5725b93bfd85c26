/** Reviews of a queue, counted by reviewer and by day. The work is bounded: only the newest items count. */
import { and, count, desc, eq, gte, inArray, isNotNull, ne, sql } from 'drizzle-orm';
import type { QueueProgress } from '../../../shared/contract/evaluation/queue-progress.ts';
import type { Reads } from './control-database.ts';
import { items, reviewers } from './schema/reviews.ts';

const itemsMax = 10_000;
const reviewersMax = 200;
const timesMax = 5000;

type Counts = QueueProgress['reviewers'][number];

/** @param dates days to count, oldest first */
export async function progressOf(reads: Reads, queueId: string, dates: readonly string[]): Promise<QueueProgress> {
  const newest = reads
    .select({ id: items.id })
    .from(items)
    .where(eq(items.queue_id, queueId))
    .orderBy(desc(items.position))
    .limit(itemsMax);
  const isCounted = inArray(reviewers.item_id, newest);
  const { user_id, status, completed_at, seconds } = reviewers;
  const reviews = await reads
    .select({ user_id, status, reviews: count() })
    .from(reviewers)
    .where(isCounted)
    .groupBy(user_id, status)
    .orderBy(desc(count()), user_id)
    .limit(reviewersMax * 3)
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
  reviews: readonly { user_id: string; status: 'assigned' | 'completed' | 'skipped'; reviews: number }[],
  times: readonly { user_id: string; seconds: number | null }[],
): Counts[] {
  const counts = new Map<string, Counts>();
  for (const { user_id, status, reviews: number } of reviews) {
    const of = counts.get(user_id) ?? { user_id, assigned: 0, completed: 0, skipped: 0, median_seconds: null };
    of[status] = number;
    counts.set(user_id, of);
  }
  for (const of of counts.values())
    of.median_seconds = medianOf(times.flatMap(({ user_id, seconds }) => (user_id === of.user_id ? (seconds ?? []) : [])));
  return [...counts.values()].sort((a, b) => b.completed - a.completed || b.assigned - a.assigned).slice(0, reviewersMax);
}

function medianOf(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}
