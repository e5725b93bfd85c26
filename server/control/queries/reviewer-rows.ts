/** Assigned reviewers and reviews of an item. Used within a transaction of the items. */
import { randomUUID } from 'node:crypto';
import { and, count, eq, inArray, ne } from 'drizzle-orm';
import type { Scope } from '../../platform/scope.ts';
import type { ReviewCounts } from '../item-states.ts';
import type { Review, Reviewer } from '../item-store.ts';
import type { Queries } from './control-database.ts';
import { reviewers } from './schema/reviews.ts';

type Row = typeof reviewers.$inferSelect;

const asReviewer = ({ tenant_id, app_id, seconds, ...reviewer }: Row): Reviewer => reviewer;

/** Reviewers of an item that was found in the scope. */
export class ReviewerRows {
  readonly #write: Queries;
  readonly #scope: Scope;
  readonly #itemId: string;
  readonly #now: string;

  constructor(write: Queries, scope: Scope, itemId: string, now: string) {
    this.#write = write;
    this.#scope = scope;
    this.#itemId = itemId;
    this.#now = now;
  }

  /** Assigns a reviewer once. */
  async assign(user_id: string): Promise<void> {
    const row = { id: randomUUID(), ...this.#scope, item_id: this.#itemId, user_id, status: 'assigned' as const, created_at: this.#now };
    await this.#write.insert(reviewers).values(row).onConflictDoNothing().run();
  }

  /** Removes an open assignment; a completed review stays. */
  async release(userId: string): Promise<void> {
    await this.#write
      .delete(reviewers)
      .where(and(this.#isReviewer(userId), eq(reviewers.status, 'assigned')))
      .run();
  }

  /** Removes reviews, which no longer count. */
  async removeReviews(): Promise<void> {
    await this.#write
      .delete(reviewers)
      .where(and(this.#ofItem, ne(reviewers.status, 'assigned')))
      .run();
  }

  async hasReviewed(userId: string): Promise<boolean> {
    const row = await this.#write.select({ status: reviewers.status }).from(reviewers).where(this.#isReviewer(userId)).get();
    return row !== undefined && row.status !== 'assigned';
  }

  async record(
    user_id: string,
    { status, seconds = null }: Pick<Review, 'status'> & { seconds?: number | null | undefined },
  ): Promise<Reviewer> {
    await this.assign(user_id);
    const update = this.#write.update(reviewers).set({ status, completed_at: this.#now, seconds });
    return asReviewer(await update.where(this.#isReviewer(user_id)).returning().get());
  }

  async counts(): Promise<Pick<ReviewCounts, 'completed' | 'open'> & { total: number }> {
    const rows = await this.#write
      .select({ status: reviewers.status, rows: count() })
      .from(reviewers)
      .where(this.#ofItem)
      .groupBy(reviewers.status)
      .all();
    const of = (status: Reviewer['status']) => rows.find((row) => row.status === status)?.rows ?? 0;
    const [completed, open] = [of('completed'), of('assigned')];
    return { completed, open, total: completed + open + of('skipped') };
  }

  /** How many of the people whom the queue names have not reviewed the item. Null if it names nobody. */
  async leftOf(named: readonly string[] | null): Promise<number | null> {
    if (!named) return null;
    const isReviewOfThem = and(this.#ofItem, ne(reviewers.status, 'assigned'), inArray(reviewers.user_id, [...named]));
    const row = await this.#write.select({ reviews: count() }).from(reviewers).where(isReviewOfThem).get();
    return named.length - (row?.reviews ?? 0);
  }

  get #ofItem() {
    return eq(reviewers.item_id, this.#itemId);
  }

  #isReviewer(userId: string) {
    return and(this.#ofItem, eq(reviewers.user_id, userId));
  }
}
