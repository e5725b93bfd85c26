import { randomUUID } from 'node:crypto';
import { and, asc, eq } from 'drizzle-orm';
import type { Comment } from '../../../shared/contract/evaluation/comments.ts';
import type { Scope } from '../../platform/scope.ts';
import { type Actor, signatureOf, userIdOf } from '../actor.ts';
import type { CommentDraft, CommentStore } from '../comment-store.ts';
import { asComment } from './comment-columns.ts';
import { type ControlDatabase, countRows, type Queries, type Reads } from './control-database.ts';
import { makeNotices } from './notice-rows.ts';
import { apiKeys, users } from './schema/identity.ts';
import { comments } from './schema/reviews.ts';

const ofApp = ({ tenant_id, app_id }: Scope) => and(eq(comments.tenant_id, tenant_id), eq(comments.app_id, app_id));
const isComment = (scope: Scope, id: string) => and(ofApp(scope), eq(comments.id, id));

export function commentRows(database: ControlDatabase): CommentStore {
  const { queries } = database;
  return {
    create: async (by, scope, draft) => {
      const id = randomUUID();
      return database.write({ by, ...scope, action: 'comment.create', target: id }, async (write, now) => {
        const comment = await insertComment(write, scope, { by, id, author_name: null, now }, draft);
        return { result: comment, after: comment };
      });
    },

    find: async (scope, id) => {
      const row = await queries.select().from(comments).where(isComment(scope, id)).get();
      return row ? asComment(row) : null;
    },

    list: async (scope, { limit, offset, resource_id, resource_type }) => {
      const filter = and(
        ofApp(scope),
        resource_id === undefined ? undefined : eq(comments.resource_id, resource_id),
        resource_type === undefined ? undefined : eq(comments.resource_type, resource_type),
      );
      const oldest = [asc(comments.created_at), asc(comments.position)];
      const rows = await queries
        .select()
        .from(comments)
        .where(filter)
        .orderBy(...oldest)
        .limit(limit)
        .offset(offset)
        .all();
      return { data: rows.map(asComment), total: await countRows(queries, comments, filter) };
    },

    remove: async (by, scope, id, onlyOwn) =>
      database.write({ by, ...scope, action: 'comment.delete', target: id }, async (write) => {
        const isOwn = onlyOwn ? eq(comments.created_by, signatureOf(by)) : undefined;
        const before = await write
          .select()
          .from(comments)
          .where(and(isComment(scope, id), isOwn))
          .get();
        if (!before) return { result: false, unchanged: true };
        await write.delete(comments).where(isComment(scope, id)).run();
        return { result: true, before: asComment(before) };
      }),
  };
}

interface CommentOrigin {
  by: Actor;
  id: string;
  /** Null to look up the name of the author. */
  author_name: string | null;
  now: string;
}

/** Within a transaction. Members whom it concerns are told. */
export async function insertComment(
  write: Queries,
  scope: Scope,
  { by, id, author_name, now }: CommentOrigin,
  draft: CommentDraft,
): Promise<Comment> {
  const author = { user_id: userIdOf(by), author_name: author_name ?? (await nameOf(write, scope, by)), created_by: signatureOf(by) };
  const row = { ...draft, ...author, id, ...scope, created_at: now, updated_at: null };
  const comment = asComment(await write.insert(comments).values(row).returning().get());
  await makeNotices(write, scope, comment, now);
  return comment;
}

async function nameOf(queries: Reads, { tenant_id }: Scope, { kind, id }: Actor): Promise<string | null> {
  if (kind === 'user') {
    const user = await queries.select({ name: users.name, email: users.email }).from(users).where(eq(users.id, id)).get();
    return user ? (user.name ?? user.email) : null;
  }
  const isKey = and(eq(apiKeys.tenant_id, tenant_id), eq(apiKeys.id, id));
  return (await queries.select({ name: apiKeys.name }).from(apiKeys).where(isKey).get())?.name ?? null;
}
