import { and, eq, gt, isNotNull, lte } from 'drizzle-orm';
import type { Actor } from '../actor.ts';
import type { PasswordResetDraft, PasswordResetStore } from '../password-reset-store.ts';
import { denyApprovedDevices, endPasswordResets, logOfAccount } from './account-changes.ts';
import { type ControlDatabase, countRows, type Reads } from './control-database.ts';
import { passwordResets, sessions, users } from './schema/identity.ts';
import { endSessions } from './session-rows.ts';
import { userColumns } from './user-rows.ts';

export function passwordResetRows(database: ControlDatabase): PasswordResetStore {
  const userOf = async (queries: Reads, digest: Uint8Array, now: string) => {
    const isOpen = and(eq(passwordResets.digest, Buffer.from(digest)), gt(passwordResets.expires_at, now), isNotNull(users.password_hash));
    const rows = queries.select(userColumns).from(passwordResets).innerJoin(users, eq(users.id, passwordResets.user_id));
    return (await rows.where(isOpen).get()) ?? null;
  };
  return {
    create: (by, userId, draft, max) => create(database, by, userId, draft, max),

    withdraw: (by, digest) =>
      database.transaction(async (write, now) => {
        const withdrawn = await write
          .delete(passwordResets)
          .where(eq(passwordResets.digest, Buffer.from(digest)))
          .returning()
          .all();
        for (const { user_id } of withdrawn) await logOfAccount(write, now, by, 'user.withdraw_reset', user_id);
      }),

    find: (digest) => userOf(database.queries, digest, database.now()),

    use: (by, digest, password_hash) =>
      database.transaction(async (write, now) => {
        const user = await userOf(write, digest, now);
        if (!user) return false;
        await endPasswordResets(write, user.id);
        await write.update(users).set({ password_hash }).where(eq(users.id, user.id)).run();
        await logOfAccount(write, now, by, 'user.reset_password', user.id);
        await endSessions(write, now, by, eq(sessions.user_id, user.id));
        await denyApprovedDevices(write, now, by, user.id);
        return true;
      }),
  };
}

function create(
  database: ControlDatabase,
  by: Actor,
  user_id: string,
  { digest, expires_at }: PasswordResetDraft,
  max: number,
): Promise<boolean> {
  return database.transaction(async (write, now) => {
    await write.delete(passwordResets).where(lte(passwordResets.expires_at, now)).run();
    const withPassword = and(eq(users.id, user_id), isNotNull(users.password_hash));
    if ((await countRows(write, users, withPassword)) === 0) return false;
    if ((await countRows(write, passwordResets, eq(passwordResets.user_id, user_id))) >= max) return false;
    await write
      .insert(passwordResets)
      .values({ digest: Buffer.from(digest), user_id, expires_at })
      .run();
    await logOfAccount(write, now, by, 'user.request_reset', user_id);
    return true;
  });
}
