/** Who is to review which items. Used within transactions of queues, items and members. */
import { randomUUID } from 'node:crypto';
import { and, asc, count, eq, exists, inArray, ne, notExists, or, type SQL, sql } from 'drizzle-orm';
import type { Scope } from '../../platform/scope.ts';
import { NotAReviewer } from '../item-store.ts';
import { type Assignment, sharedOut } from '../shared-out.ts';
import type { Queries, Reads } from './control-database.ts';
import { closeFinished, isOpen } from './item-closing-rows.ts';
import { members } from './schema/identity.ts';
import { items, queues, reviewers } from './schema/reviews.ts';

type QueueRow = typeof queues.$inferSelect;

const isAssigned = eq(reviewers.status, 'assigned');
const one = { one: sql`1` };
/** Rows of one statement: an engine takes only so many values. */
const rowsMax = 500;

/** People who are to review these items and have not yet, by the item. */
export async function assigneesOf(reads: Reads, itemIds: readonly string[]): Promise<ReadonlyMap<string, string[]>> {
  if (itemIds.length === 0) return new Map();
  const { item_id, user_id, created_at } = reviewers;
  const rows = await reads
    .select({ item_id, user_id })
    .from(reviewers)
    .innerJoin(items, eq(items.id, item_id))
    .where(and(inArray(item_id, [...itemIds]), isAssigned, isOpen))
    .orderBy(asc(created_at), asc(user_id))
    .all();
  const assignees = new Map<string, string[]>();
  for (const row of rows) assignees.set(row.item_id, [...(assignees.get(row.item_id) ?? []), row.user_id]);
  return assignees;
}

/** Items with an open assignment to the user. */
export const isAssignedTo = (reads: Reads, tenant_id: string, user_id: string): SQL =>
  inArray(
    items.id,
    reads
      .select({ item_id: reviewers.item_id })
      .from(reviewers)
      .where(and(eq(reviewers.tenant_id, tenant_id), eq(reviewers.user_id, user_id), isAssigned)),
  );

/** Of those who are assigned: they may still review the queue. Rights may have been lost before assignments followed them. */
const mayReview = (reads: Reads, { tenant_id, reviewer_ids }: Pick<QueueRow, 'tenant_id' | 'reviewer_ids'>): SQL | undefined =>
  and(
    inArray(
      reviewers.user_id,
      reads
        .select({ user_id: members.user_id })
        .from(members)
        .where(and(eq(members.tenant_id, tenant_id), ne(members.role, 'read'))),
    ),
    reviewer_ids ? inArray(reviewers.user_id, reviewer_ids) : undefined,
  );

/** Open items that the user may review, has nothing to do with yet, and that need more reviews than those made and assigned. */
export function isFreeFor(reads: Reads, user_id: string, queue: QueueRow): SQL | undefined {
  if (queue.reviewer_ids && !queue.reviewer_ids.includes(user_id)) return sql`1 = 0`;
  const ofItem = eq(reviewers.item_id, items.id);
  const theirs = reads
    .select(one)
    .from(reviewers)
    .where(and(ofItem, eq(reviewers.user_id, user_id)));
  const counts = or(eq(reviewers.status, 'completed'), and(isAssigned, mayReview(reads, queue)));
  const taken = sql`(SELECT count(*) FROM ${reviewers} WHERE ${and(ofItem, counts)})`;
  return and(isOpen, notExists(theirs), sql`${taken} < ${queue.reviewers_required}`);
}

/**
 * Members who may write, and are among those that the queue names, if it names any.
 * @throws NotAReviewer
 */
export async function assertReviewers(
  reads: Reads,
  { tenant_id, reviewer_ids }: Pick<QueueRow, 'tenant_id' | 'reviewer_ids'>,
  userIds: readonly string[],
): Promise<void> {
  const isOfThem = and(eq(members.tenant_id, tenant_id), inArray(members.user_id, [...userIds]), ne(members.role, 'read'));
  const found = await reads.select({ user_id: members.user_id }).from(members).where(isOfThem).all();
  const may = new Set(found.map(({ user_id }) => user_id));
  const wrong = userIds.find((id) => !may.has(id));
  if (wrong !== undefined) throw new NotAReviewer('member', wrong);
  const other = reviewer_ids && userIds.find((id) => !reviewer_ids.includes(id));
  if (other) throw new NotAReviewer('named', other);
}

/** Somebody who was assigned an item. Null if they may no longer review it. */
export async function stillAssigned(reads: Reads, queue: QueueRow, userId: string | null): Promise<string | null> {
  if (userId === null) return null;
  try {
    await assertReviewers(reads, queue, [userId]);
    return userId;
  } catch (error) {
    if (error instanceof NotAReviewer) return null;
    throw error;
  }
}

/**
 * Assigns open items to one member in place of everybody they were assigned to, or to nobody. Items that the member has reviewed stay as they
 * are.
 * @returns number of items that are now assigned so
 */
export async function assignItems(
  write: Queries,
  queue: QueueRow,
  itemIds: readonly string[],
  userId: string | null,
  now: string,
): Promise<number> {
  const reviewed = and(eq(reviewers.item_id, items.id), eq(reviewers.user_id, userId ?? ''), ne(reviewers.status, 'assigned'));
  const isMeant = and(eq(items.queue_id, queue.id), inArray(items.id, [...itemIds]), isOpen);
  const open = await write
    .select({ id: items.id })
    .from(items)
    .where(and(isMeant, notExists(write.select(one).from(reviewers).where(reviewed))))
    .all();
  const ids = open.map(({ id }) => id);
  if (ids.length === 0) return 0;
  await write
    .delete(reviewers)
    .where(and(inArray(reviewers.item_id, ids), isAssigned))
    .run();
  if (userId !== null)
    await insertAssignments(
      write,
      queue,
      ids.map((item_id) => ({ item_id, user_id: userId })),
      now,
    );
  await write
    .update(items)
    .set({ assigned_to: userId, status: sql`CASE WHEN ${hasReviewers(write)} THEN 'in_progress' ELSE 'pending' END` })
    .where(inArray(items.id, ids))
    .run();
  return ids.length;
}

const hasReviewers = (reads: Reads, also?: SQL): SQL =>
  exists(
    reads
      .select(one)
      .from(reviewers)
      .where(and(eq(reviewers.item_id, items.id), also)),
  );

/** Shares new items out among the reviewers of the queue, when it says so. */
export async function shareOut(write: Queries, queue: QueueRow, itemIds: readonly string[], now: string): Promise<void> {
  const named = queue.shares_evenly ? (queue.reviewer_ids ?? []) : [];
  if (named.length === 0 || itemIds.length === 0) return;
  const isTheirs = and(eq(items.queue_id, queue.id), inArray(reviewers.user_id, named));
  const open = sql<number>`sum(CASE WHEN ${and(isOpen, isAssigned)} THEN 1 ELSE 0 END)`.mapWith(Number);
  const counted = await write
    .select({ user_id: reviewers.user_id, open, all: count() })
    .from(reviewers)
    .innerJoin(items, eq(items.id, reviewers.item_id))
    .where(and(eq(reviewers.tenant_id, queue.tenant_id), isTheirs))
    .groupBy(reviewers.user_id)
    .all();
  const loads = named.map((user_id) => counted.find((each) => each.user_id === user_id) ?? { user_id, open: 0, all: 0 });
  const assignments = sharedOut(itemIds, loads, queue.reviewers_required);
  await insertAssignments(write, queue, assignments, now);
  const first = new Map(assignments.toReversed().map(({ item_id, user_id }) => [item_id, user_id]));
  for (const user_id of named) {
    const theirs = itemIds.filter((id) => first.get(id) === user_id);
    if (theirs.length === 0) continue;
    await write.update(items).set({ assigned_to: user_id, status: 'in_progress' }).where(inArray(items.id, theirs)).run();
  }
}

async function insertAssignments(
  write: Queries,
  { tenant_id, app_id }: Scope,
  assignments: readonly Assignment[],
  created_at: string,
): Promise<void> {
  const row = { tenant_id, app_id, status: 'assigned' as const, created_at };
  for (let at = 0; at < assignments.length; at += rowsMax) {
    const rows = assignments.slice(at, at + rowsMax).map((assignment) => ({ ...row, ...assignment, id: randomUUID() }));
    await write.insert(reviewers).values(rows).run();
  }
}

/** Open assignments of somebody who no longer reviews the queue, or any queue of the tenant: the items wait for others. */
export async function giveBack(write: Queries, tenant_id: string, user_id: string, queueId?: string): Promise<void> {
  const inQueue = queueId === undefined ? undefined : eq(items.queue_id, queueId);
  const isTheirs = and(eq(reviewers.tenant_id, tenant_id), eq(reviewers.user_id, user_id), isAssigned);
  const other = sql`NOT (${reviewers.user_id} = ${user_id} AND ${reviewers.status} = 'assigned')`;
  const isStarted = sql`${items.status} <> 'in_progress' OR ${hasReviewers(write, other)}`;
  const isOther = and(eq(reviewers.item_id, items.id), isAssigned, ne(reviewers.user_id, user_id));
  const next = sql`(SELECT ${reviewers.user_id} FROM ${reviewers} WHERE ${isOther} ORDER BY ${reviewers.created_at}, ${reviewers.user_id} LIMIT 1)`;
  await write
    .update(items)
    .set({
      assigned_to: sql`CASE WHEN ${items.assigned_to} = ${user_id} THEN ${next} ELSE ${items.assigned_to} END`,
      status: sql`CASE WHEN ${isStarted} THEN ${items.status} ELSE 'pending' END`,
    })
    .where(and(isAssignedTo(write, tenant_id, user_id), inQueue))
    .run();
  const ofQueue = inQueue && inArray(reviewers.item_id, write.select({ id: items.id }).from(items).where(inQueue));
  await write.delete(reviewers).where(and(isTheirs, ofQueue)).run();
}

/** Of those whom the queue no longer names. */
export async function giveBackOfOthers(write: Queries, queue: Pick<QueueRow, 'tenant_id' | 'id' | 'reviewer_ids'>): Promise<void> {
  if (!queue.reviewer_ids) return;
  const assigned = await write
    .selectDistinct({ user_id: reviewers.user_id })
    .from(reviewers)
    .innerJoin(items, eq(items.id, reviewers.item_id))
    .where(and(eq(items.queue_id, queue.id), isAssigned))
    .all();
  for (const { user_id } of assigned) if (!queue.reviewer_ids.includes(user_id)) await giveBack(write, queue.tenant_id, user_id, queue.id);
}

/** Somebody who leaves the tenant, or may only read from now on, reviews no queue of it. A queue that named nobody else is for everybody. */
export async function leaveQueues(write: Queries, tenant_id: string, user_id: string, now: string): Promise<void> {
  await giveBack(write, tenant_id, user_id);
  const named = await write
    .select({ id: queues.id, reviewer_ids: queues.reviewer_ids })
    .from(queues)
    .where(and(eq(queues.tenant_id, tenant_id), sql`${queues.reviewer_ids} LIKE ${`%"${user_id}"%`}`))
    .all();
  for (const { id, reviewer_ids } of named) {
    const others = (reviewer_ids ?? []).filter((each) => each !== user_id);
    await write
      .update(queues)
      .set(others.length === 0 ? { reviewer_ids: null, shares_evenly: false } : { reviewer_ids: others })
      .where(eq(queues.id, id))
      .run();
    await closeFinished(write, id, others.length === 0 ? null : others, now);
  }
}
