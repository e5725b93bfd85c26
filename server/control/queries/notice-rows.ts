import { randomUUID } from 'node:crypto';
import { and, desc, eq, gte, inArray, isNotNull, isNull, lt, lte, or, type SQL } from 'drizzle-orm';
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
export async function makeNotices(write: Queries, { tenant_id, app_id }: Scope, comment: Comment, now: string): Promise<void> {
  const mentioned = mentionedIds(comment.body);
  const isOfSame = and(
    ...[eq(comments.tenant_id, tenant_id), eq(comments.app_id, app_id)],
    ...[eq(comments.resource_id, comment.resource_id), eq(comments.resource_type, comment.resource_type)],
  );
  const commenters = write.select({ user_id: comments.user_id }).from(comments).where(isOfSame);
  const isTold = or(inArray(members.user_id, mentioned), inArray(members.user_id, commenters));
  const told = await write
    .select({ user_id: members.user_id })
    .from(members)
    .where(and(eq(members.tenant_id, tenant_id), isTold))
    .all();
  for (const { user_id } of told) {
    if (user_id === comment.user_id) continue;
    const kind = mentioned.includes(user_id) ? 'mention' : 'reply';
    const notice = { id: randomUUID(), tenant_id, user_id, comment_id: comment.id, kind, created_at: now, read_at: null } as const;
    await write.insert(notices).values(notice).run();
    await removeOld(write, { tenant_id, user_id }, now);
  }
}

async function removeOld(write: Queries, recipient: Recipient, now: string): Promise<void> {
  const mine = ofRecipient(recipient);
  const newest = write.select({ position: notices.position }).from(notices).where(mine).orderBy(desc(notices.position));
  const firstTooMany = await newest.limit(1).offset(noticesMax).get();
  const isTooMany = firstTooMany && lte(notices.position, firstTooMany.position);
  await write
    .delete(notices)
    .where(and(mine, or(lt(notices.created_at, oldestKept(now)), isTooMany)))
    .run();
}
