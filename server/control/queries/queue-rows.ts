import { randomUUID } from 'node:crypto';
import { and, count, desc, eq, exists, inArray, type SQL, sql } from 'drizzle-orm';
import type { QueueProgress } from '../../../shared/contract/evaluation/queue-progress.ts';
import type { Page, PageQuery } from '../../platform/page.ts';
import type { Scope } from '../../platform/scope.ts';
import { type Actor, signatureOf } from '../actor.ts';
import { type Queue, type QueueChange, type QueueDraft, type QueueStore, ReviewingRefused } from '../queue-store.ts';
import { type ControlDatabase, countRows, type Reads } from './control-database.ts';
import { assertReviewers, giveBackOfOthers, isAssignedTo } from './item-assignment-rows.ts';
import { closeFinished, completeReviewed, isOpen } from './item-closing-rows.ts';
import { progressOf } from './queue-progress-rows.ts';
import { queueRules } from './schema/queue-rules.ts';
import { items, queues } from './schema/reviews.ts';

type Row = typeof queues.$inferSelect;

const ofApp = ({ tenant_id, app_id }: Scope) => and(eq(queues.tenant_id, tenant_id), eq(queues.app_id, app_id));
const isActive = eq(queues.status, 'active');
export const isQueue = (scope: Scope, id: string) => and(ofApp(scope), eq(queues.id, id));

type Reviewing = Pick<Queue, 'reviewers_required'> & { reviewer_ids?: string[] | null | undefined; shares_evenly?: boolean | undefined };

export class QueueRows implements QueueStore {
  readonly #database: ControlDatabase;

  constructor(database: ControlDatabase) {
    this.#database = database;
  }

  async create(by: Actor, scope: Scope, draft: QueueDraft): Promise<Queue> {
    const id = randomUUID();
    return this.#database.write({ by, ...scope, action: 'annotation_queue.create', target: id }, async (write, created_at) => {
      await assertReviewers(write, { ...scope, reviewer_ids: null }, draft.reviewer_ids ?? []);
      assertReviewing(draft);
      const initial = { status: 'active' as const, created_by: signatureOf(by), created_at, updated_at: null };
      await write
        .insert(queues)
        .values({ ...draft, ...initial, id, ...scope })
        .run();
      const queue = (await this.#find(write, scope, id)) as Queue;
      return { result: queue, after: queue };
    });
  }

  async find(scope: Scope, id: string): Promise<Queue | null> {
    return this.#find(this.#database.queries, scope, id);
  }

  async list(scope: Scope, { limit, offset, assigned_to }: PageQuery & { assigned_to?: string | undefined }): Promise<Page<Queue>> {
    const { queries } = this.#database;
    const filter = and(ofApp(scope), assigned_to === undefined ? undefined : and(isActive, this.#hasOpenItemOf(scope, assigned_to)));
    const newest = [desc(queues.created_at), queues.id];
    const rows = await queries
      .select()
      .from(queues)
      .where(filter)
      .orderBy(...newest)
      .limit(limit)
      .offset(offset)
      .all();
    return { data: await this.#withProgress(this.#database.queries, rows), total: await countRows(queries, queues, filter) };
  }

  async waiting(scope: Scope, userId: string, queueIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    if (queueIds.length === 0) return new Map();
    const { queries } = this.#database;
    const active = queries
      .select({ id: queues.id })
      .from(queues)
      .where(and(ofApp(scope), isActive));
    const ofQueues = and(eq(items.app_id, scope.app_id), inArray(items.queue_id, [...queueIds]));
    const rows = await queries
      .select({ queue_id: items.queue_id, items: count() })
      .from(items)
      .where(and(ofQueues, isAssignedTo(queries, scope.tenant_id, userId), isOpen, inArray(items.queue_id, active)))
      .groupBy(items.queue_id)
      .all();
    return new Map(rows.map((row) => [row.queue_id, row.items]));
  }

  async progress(scope: Scope, id: string, dates: readonly string[]): Promise<QueueProgress | null> {
    const { queries } = this.#database;
    const queue = await queries.select({ id: queues.id }).from(queues).where(isQueue(scope, id)).get();
    return queue ? progressOf(queries, id, dates) : null;
  }

  async update(by: Actor, scope: Scope, id: string, change: QueueChange): Promise<Queue | null> {
    return this.#database.write({ by, ...scope, action: 'annotation_queue.update', target: id }, async (write, updated_at) => {
      const before = await this.#find(write, scope, id);
      if (!before) return { result: null, unchanged: true };
      if (change.reviewer_ids) await assertReviewers(write, { ...scope, reviewer_ids: null }, change.reviewer_ids);
      const asked = [change.reviewer_ids, change.shares_evenly, change.reviewers_required];
      if (asked.some((each) => each !== undefined)) assertReviewing(withChange(before, change));
      await write
        .update(queues)
        .set({ ...change, id, ...scope, updated_at })
        .where(isQueue(scope, id))
        .run();
      // Its rules begin anew: they do not add what came while it was closed.
      if (change.status === 'active' && before.status !== 'active')
        await write.update(queueRules).set({ active_since: updated_at }).where(eq(queueRules.queue_id, id)).run();
      if (change.reviewer_ids) await giveBackOfOthers(write, { ...scope, id, reviewer_ids: change.reviewer_ids });
      if ((change.reviewers_required ?? before.reviewers_required) < before.reviewers_required)
        await completeReviewed(write, id, change.reviewers_required as number, updated_at);
      if (change.reviewer_ids) await closeFinished(write, id, change.reviewer_ids, updated_at);
      const after = await this.#find(write, scope, id);
      return { result: after, before, after };
    });
  }

  async remove(by: Actor, scope: Scope, id: string): Promise<boolean> {
    return this.#database.write({ by, ...scope, action: 'annotation_queue.delete', target: id }, async (write) => {
      const before = await this.#find(write, scope, id);
      if (!before) return { result: false, unchanged: true };
      await write.delete(queues).where(isQueue(scope, id)).run();
      return { result: true, before };
    });
  }

  async #find(queries: Reads, scope: Scope, id: string): Promise<Queue | null> {
    const row = await queries.select().from(queues).where(isQueue(scope, id)).get();
    return row ? ((await this.#withProgress(queries, [row]))[0] ?? null) : null;
  }

  #hasOpenItemOf({ tenant_id }: Scope, userId: string): SQL {
    const { queries } = this.#database;
    const isOpenItem = and(eq(items.queue_id, queues.id), isAssignedTo(queries, tenant_id, userId), isOpen);
    return exists(queries.select({ one: sql`1` }).from(items).where(isOpenItem));
  }

  /** @param rows queues that were found in the app, so that their items belong to it */
  async #withProgress(queries: Reads, rows: readonly Row[]): Promise<Queue[]> {
    const ids = rows.map(({ id }) => id);
    const counts = await queries
      .select({ queue_id: items.queue_id, status: items.status, items: count() })
      .from(items)
      .where(inArray(items.queue_id, ids))
      .groupBy(items.queue_id, items.status)
      .all();
    const progress = new Map(ids.map((id) => [id, { pending: 0, in_progress: 0, completed: 0, skipped: 0, total: 0 }]));
    for (const { queue_id, status, items: number } of counts) {
      const ofQueue = progress.get(queue_id) as Queue['progress'];
      ofQueue[status] = number;
      ofQueue.total += number;
    }
    return rows.map(({ tenant_id, shares_evenly, ...queue }) => ({
      ...queue,
      shares_evenly: shares_evenly ?? false,
      progress: progress.get(queue.id) as Queue['progress'],
    }));
  }
}

/** @throws ReviewingRefused */
function assertReviewing({ reviewer_ids, shares_evenly, reviewers_required }: Reviewing): void {
  if (shares_evenly && !reviewer_ids) throw new ReviewingRefused('shares_evenly', 'needs reviewers among whom new items are shared out');
  const named = reviewer_ids?.length ?? Number.POSITIVE_INFINITY;
  if (reviewers_required > named)
    throw new ReviewingRefused('reviewers_required', `must not be more than the ${named} that reviewer_ids names`);
}

const withChange = ({ reviewer_ids, shares_evenly, reviewers_required }: Reviewing, change: QueueChange): Reviewing => ({
  reviewer_ids: change.reviewer_ids === undefined ? reviewer_ids : change.reviewer_ids,
  shares_evenly: change.shares_evenly ?? shares_evenly,
  reviewers_required: change.reviewers_required ?? reviewers_required,
});
