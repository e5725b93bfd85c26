import { randomUUID } from 'node:crypto';
import { and, asc, count, eq, type SQL } from 'drizzle-orm';
import type { Score } from '../../../shared/contract/evaluation/scores.ts';
import { must } from '../../platform/assert.ts';
import type { Page } from '../../platform/page.ts';
import type { Scope } from '../../platform/scope.ts';
import { type Actor, signatureOf } from '../actor.ts';
import { afterAssignment, afterReview, isClosed } from '../item-states.ts';
import {
  type ItemChange,
  type ItemPlace,
  type ItemQuery,
  type ItemStore,
  QueueArchived,
  type QueueItem,
  type Resource,
  type Review,
  ReviewRefused,
  type ReviewResult,
} from '../item-store.ts';
import { insertComment } from './comment-rows.ts';
import { type ControlDatabase, countRows, type Queries, type Reads } from './control-database.ts';
import { assertReviewers, assigneesOf, assignItems, isAssignedTo, isFreeFor, shareOut, stillAssigned } from './item-assignment-rows.ts';
import { isOpen } from './item-closing-rows.ts';
import { isQueue } from './queue-rows.ts';
import { ReviewerRows } from './reviewer-rows.ts';
import { items, queues, scoreOutbox } from './schema/reviews.ts';

type Row = typeof items.$inferSelect;

/** The viewer asks for the open items of a user after each review, and a queue may be long: so many are counted. */
const forUserMax = 1000;

async function countUpTo(reads: Reads, filter: SQL | undefined, max: number): Promise<number> {
  const found = reads.select({ id: items.id }).from(items).where(filter).limit(max).as('found');
  return (await reads.select({ rows: count() }).from(found).get())?.rows ?? 0;
}

const asItem = ({ position, tenant_id, app_id, ...item }: Row, assignees: string[] = []): QueueItem => ({ ...item, assignees });

async function asItems(reads: Reads, rows: readonly Row[]): Promise<QueueItem[]> {
  const assignees = await assigneesOf(
    reads,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => asItem(row, assignees.get(row.id)));
}

const ofQueue = ({ tenant_id, app_id }: Scope, queueId: string) =>
  and(eq(items.tenant_id, tenant_id), eq(items.app_id, app_id), eq(items.queue_id, queueId));
const isItem = (scope: Scope, { queueId, itemId }: ItemPlace) => and(ofQueue(scope, queueId), eq(items.id, itemId));

export class ItemRows implements ItemStore {
  readonly #database: ControlDatabase;

  constructor(database: ControlDatabase) {
    this.#database = database;
  }

  async add(by: Actor, scope: Scope, queue_id: string, resources: readonly Resource[]): Promise<number | null> {
    return this.#database.write({ by, ...scope, action: 'annotation_queue.add', target: queue_id }, async (write, created_at) => {
      const queue = await this.#queue(write, scope, queue_id);
      if (!queue) return { result: null, unchanged: true };
      if (queue.status === 'archived') throw new QueueArchived();
      const initial = { ...scope, queue_id, status: 'pending' as const, created_at };
      const rows = resources.map(({ resource_id, resource_type }) => ({ id: randomUUID(), resource_id, resource_type, ...initial }));
      const added = await write.insert(items).values(rows).onConflictDoNothing().returning({ id: items.id }).all();
      await shareOut(
        write,
        queue,
        added.map(({ id }) => id),
        created_at,
      );
      return added.length === 0 ? { result: 0, unchanged: true } : { result: added.length, after: added };
    });
  }

  async find(scope: Scope, place: ItemPlace): Promise<QueueItem | null> {
    return this.#find(this.#database.queries, scope, place);
  }

  async list(scope: Scope, queueId: string, query: ItemQuery): Promise<Page<QueueItem> | null> {
    const { limit, offset, status, assigned_to } = query;
    const { queries } = this.#database;
    const queue = await this.#queue(queries, scope, queueId);
    if (!queue) return null;
    const filter = and(
      ofQueue(scope, queueId),
      status === undefined ? undefined : eq(items.status, status),
      assigned_to === undefined ? undefined : eq(items.assigned_to, assigned_to),
      query.for?.which === 'assigned' ? and(isOpen, isAssignedTo(queries, scope.tenant_id, query.for.user_id)) : undefined,
      query.for?.which === 'free' ? isFreeFor(queries, query.for.user_id, queue) : undefined,
    );
    const rows = await queries.select().from(items).where(filter).orderBy(asc(items.position)).limit(limit).offset(offset).all();
    const total = query.for ? await countUpTo(queries, filter, forUserMax) : await countRows(queries, items, filter);
    return { data: await asItems(queries, rows), total };
  }

  async update(by: Actor, scope: Scope, place: ItemPlace, change: ItemChange): Promise<QueueItem | null> {
    return this.#database.write({ by, ...scope, action: 'annotation_item.update', target: place.itemId }, async (write, now) => {
      const before = await this.#find(write, scope, place);
      if (!before) return { result: null, unchanged: true };
      const reviewers = new ReviewerRows(write, scope, place.itemId, now);
      const queue = must(await this.#queue(write, scope, place.queueId), 'an item is in a queue');
      const closes = isClosed(change.status ?? before.status);
      const kept = closes ? before.assigned_to : await stillAssigned(write, queue, before.assigned_to);
      const assigned_to = change.assigned_to === undefined ? kept : change.assigned_to;
      const isReassigned = assigned_to !== before.assigned_to;
      if (isReassigned && assigned_to !== null) await assertReviewers(write, queue, [assigned_to]);
      if (isReassigned && before.assigned_to !== null) await reviewers.release(before.assigned_to);
      if (change.status !== undefined && isClosed(before.status) && !isClosed(change.status)) await reviewers.removeReviews();
      if (assigned_to !== null && !closes) await reviewers.assign(assigned_to);
      const impliedStatus = isReassigned ? afterAssignment(before.status, (await reviewers.counts()).total > 0) : before.status;
      const after = await this.#move(write, scope, before, {
        status: change.status ?? impliedStatus,
        assigned_to,
        by: signatureOf(by),
        now,
      });
      return { result: after, before, after };
    });
  }

  async assign(by: Actor, scope: Scope, queueId: string, itemIds: readonly string[], userId: string | null): Promise<number | null> {
    return this.#database.write({ by, ...scope, action: 'annotation_queue.assign', target: queueId }, async (write, now) => {
      const queue = await this.#queue(write, scope, queueId);
      if (!queue) return { result: null, unchanged: true };
      if (userId !== null) await assertReviewers(write, queue, [userId]);
      const assigned = await assignItems(write, queue, itemIds, userId, now);
      return assigned === 0 ? { result: 0, unchanged: true } : { result: assigned, after: { assigned, assigned_to: userId } };
    });
  }

  async remove(by: Actor, scope: Scope, place: ItemPlace): Promise<boolean> {
    return this.#database.write({ by, ...scope, action: 'annotation_item.delete', target: place.itemId }, async (write) => {
      const before = await this.#find(write, scope, place);
      if (!before) return { result: false, unchanged: true };
      await write.delete(items).where(isItem(scope, place)).run();
      return { result: true, before };
    });
  }

  async review(by: Actor, scope: Scope, place: ItemPlace, review: Review): Promise<ReviewResult | null> {
    return this.#database.write({ by, ...scope, action: 'annotation_item.review', target: place.itemId }, async (write, now) => {
      const before = await this.#find(write, scope, place);
      if (!before) return { result: null, unchanged: true };
      if (isClosed(before.status)) throw new ReviewRefused('closed');
      const queue = must(await this.#queue(write, scope, place.queueId), 'an item is in a queue');
      if (by.kind === 'user' && queue.reviewer_ids && !queue.reviewer_ids.includes(by.id)) throw new ReviewRefused('other');
      const reviewers = new ReviewerRows(write, scope, place.itemId, now);
      if (await reviewers.hasReviewed(review.reviewer)) throw new ReviewRefused('repeated');
      const reviewer = await reviewers.record(review.reviewer, review);
      const { total, ...counts } = await reviewers.counts();
      const required = queue.reviewers_required;
      const left = await reviewers.leftOf(queue.reviewer_ids);
      const status = afterReview(review.status, { ...counts, left, required });
      const { assigned_to } = before;
      const item = await this.#move(write, scope, before, { status, assigned_to, by: review.reviewer, now });
      await this.#storeReview(write, scope, { by, item, review, now });
      const result = { reviewer, item, review_progress: { completed: counts.completed, total, required } };
      return { result, before, after: result };
    });
  }

  #queue(queries: Reads, scope: Scope, id: string) {
    return queries.select().from(queues).where(isQueue(scope, id)).get();
  }

  async #find(queries: Reads, scope: Scope, place: ItemPlace): Promise<QueueItem | null> {
    const row = await queries.select().from(items).where(isItem(scope, place)).get();
    return row ? must((await asItems(queries, [row]))[0], 'one row is one item') : null;
  }

  async #move(
    write: Queries,
    scope: Scope,
    before: QueueItem,
    to: Pick<QueueItem, 'status' | 'assigned_to'> & { by: string; now: string },
  ): Promise<QueueItem> {
    const { status, assigned_to, by, now } = to;
    const completion = status === 'completed' ? { completed_by: by, completed_at: now } : { completed_by: null, completed_at: null };
    const set = { assigned_to, status, ...(status === before.status ? {} : completion) };
    const place = { queueId: before.queue_id, itemId: before.id };
    const row = await write.update(items).set(set).where(isItem(scope, place)).returning().get();
    return must((await asItems(write, [row]))[0], 'one row is one item');
  }

  /** Stores the comment of a review, and queues its scores. */
  async #storeReview(write: Queries, scope: Scope, input: { by: Actor; item: QueueItem; review: Review; now: string }): Promise<void> {
    const { by, item, review, now } = input;
    const { resource_id, resource_type } = item;
    if (review.comment !== null) {
      const origin = { by, id: randomUUID(), author_name: review.author_name, now };
      await insertComment(write, scope, origin, { resource_id, resource_type, body: review.comment });
    }
    if (review.scores.length === 0) return;
    const common = { resource_id, source: 'annotation', user_id: review.reviewer, created_at: now };
    const session = resource_type === 'session' ? { session_id: resource_id } : {};
    const scores = review.scores.map((score): Score => ({ id: randomUUID(), ...score, ...common, ...session }));
    await write
      .insert(scoreOutbox)
      .values({ ...scope, scores })
      .run();
  }
}
