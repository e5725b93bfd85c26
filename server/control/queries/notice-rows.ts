import { randomUUID } from 'node:crypto';
import { and, asc, desc, eq, gt, gte, inArray, isNotNull, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm';
import type { Comment } from '../../../shared/contract/evaluation/comments.ts';
import type { Notice } from '../../../shared/contract/evaluation/notices.ts';
import { mentionedIds } from '../../../shared/mentions.ts';
import type { Scope } from '../../platform/scope.ts';
import { type NoticeStore, noticeDays, noticesMax, type Recipient } from '../notice-store.ts';
import { asComment } from './comment-columns.ts';
import { type ControlDatabase, countRows, type Queries, type Reads } from './control-database.ts';
import { members } from './schema/identity.ts';
import { notices } from './schema/notices.ts';
import { comments } from './schema/reviews.ts';

const ofRecipient = ({ tenant_id, user_id }: Recipient) => and(eq(notices.tenant_id, tenant_id), eq(notices.user_id, user_id));

const dayMs = 24 * 60 * 60 * 1000;
/** When the oldest notice that is kept may have been made. */
const oldestKept = (now: string): string => new Date(Date.parse(now) - noticeDays * dayMs).toISOString();

export function noticeRows(database: ControlDatabase): NoticeStore {
  const { queries } = database;
  const kept = (recipient: Recipient) => and(ofRecipient(recipient), gte(notices.created_at, oldestKept(database.now())));
  return {
    list: async (recipient, { limit, before }) => {
      const isAfter = before === undefined ? undefined : lt(notices.position, Number(before));
      const rows = await withComments(queries, and(kept(recipient), isAfter), limit + 1);
      const page = rows.slice(0, limit);
      return { data: page.map(asNotice), next: rows.length > limit ? String(page.at(-1)?.notice.position) : null };
    },

    unread: (recipient) => countRows(queries, notices, and(kept(recipient), isNull(notices.read_at))),

    mark: (recipient, id, isRead) =>
      database.transaction(async (write, now) => {
        const isThis = and(kept(recipient), eq(notices.id, id));
        // The first reading counts.
        const isOther = isRead ? isNull(notices.read_at) : isNotNull(notices.read_at);
        await write
          .update(notices)
          .set({ read_at: isRead ? now : null })
          .where(and(isThis, isOther))
          .run();
        const [row] = await withComments(write, isThis, 1);
        return row ? asNotice(row) : null;
      }),

    markAll: (recipient) =>
      database.transaction(async (write, read_at) => {
        const isUnread = and(kept(recipient), isNull(notices.read_at));
        return (await write.update(notices).set({ read_at }).where(isUnread).run()).changes;
      }),
  };
}

const withComments = (queries: Reads, filter: SQL | undefined, limit: number) =>
  queries
    .select({ notice: notices, comment: comments })
    .from(notices)
    .innerJoin(comments, eq(comments.id, notices.comment_id))
    .where(filter)
    .orderBy(desc(notices.position))
    .limit(limit)
    .all();

const asNotice = ({ notice, comment }: Awaited<ReturnType<typeof withComments>>[number]): Notice => ({
  ...{ id: notice.id, kind: notice.kind, app_id: comment.app_id, comment: asComment(comment) },
  ...{ created_at: notice.created_at, read_at: notice.read_at },
});

/**
 * Tells members of a new comment, within its transaction: those whom it mentions, and those who have commented on the same trace, span or
 * session before. Never its author, nor anybody who is not a member. The one place where notices are made: other ways to tell people, such as
 * e-mail, begin here.
 */
export async function makeNotices(write: Queries, scope: Scope, comment: Comment, now: string): Promise<void> {
  const { tenant_id } = scope;
  const mentioned = mentionedIds(comment.body);
  const commenters = write.select({ user_id: comments.user_id }).from(comments).where(isOnSame(scope, comment));
  const isTold = or(inArray(members.user_id, mentioned), inArray(members.user_id, commenters));
  const isOther = comment.user_id === null ? undefined : ne(members.user_id, comment.user_id);
  const told = await write
    .select({ user_id: members.user_id })
    .from(members)
    .where(and(eq(members.tenant_id, tenant_id), isTold, isOther))
    .orderBy(asc(members.user_id))
    .all();
  if (told.length === 0) return;
  const userIds = told.map(({ user_id }) => user_id);
  const isMentioned = new Set(mentioned);
  const replied = userIds.filter((user_id) => !isMentioned.has(user_id));
  const unread = await takeUnreadReplies(write, scope, comment, replied);
  const rows = userIds.map((user_id) => ({
    ...{ id: unread.get(user_id) ?? randomUUID(), tenant_id, user_id, comment_id: comment.id },
    ...{ kind: isMentioned.has(user_id) ? ('mention' as const) : ('reply' as const), created_at: now, read_at: null },
  }));
  await write.insert(notices).values(rows).run();
  await removeOld(write, tenant_id, userIds, now);
}

const isOnSame = ({ tenant_id, app_id }: Scope, { resource_id, resource_type }: Comment) =>
  and(
    ...[eq(comments.tenant_id, tenant_id), eq(comments.app_id, app_id)],
    ...[eq(comments.resource_id, resource_id), eq(comments.resource_type, resource_type)],
  );

/**
 * Deletes the unread notices of earlier replies on the same trace, span or session: a new one replaces them, under their id.
 * @returns ids of notices by those of their recipients
 */
async function takeUnreadReplies(
  write: Queries,
  scope: Scope,
  comment: Comment,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (userIds.length === 0) return new Map();
  const onSame = write.select({ id: comments.id }).from(comments).where(isOnSame(scope, comment));
  const isOfThem = and(eq(notices.tenant_id, scope.tenant_id), inArray(notices.user_id, [...userIds]));
  const isUnreadReply = and(isNull(notices.read_at), eq(notices.kind, 'reply'), inArray(notices.comment_id, onSame));
  const taken = await write.delete(notices).where(and(isOfThem, isUnreadReply)).returning().all();
  return new Map(taken.map(({ user_id, id }) => [user_id, id]));
}

/** Of these members, in one statement. */
async function removeOld(write: Queries, tenant_id: string, userIds: readonly string[], now: string): Promise<void> {
  const { position, created_at, user_id } = notices;
  const rank = sql<number>`row_number() OVER (PARTITION BY ${user_id} ORDER BY ${position} DESC)`.as('rank_of_member');
  const isTheirs = and(eq(notices.tenant_id, tenant_id), inArray(user_id, [...userIds]));
  const ranked = write.select({ position, created_at, rank }).from(notices).where(isTheirs).as('ranked');
  const isOld = or(gt(ranked.rank, noticesMax), lt(ranked.created_at, oldestKept(now)));
  await write
    .delete(notices)
    .where(inArray(position, write.select({ position: ranked.position }).from(ranked).where(isOld)))
    .run();
}
