import { randomUUID } from 'node:crypto';
import { and, eq, isNotNull } from 'drizzle-orm';
import type { Actor } from '../actor.ts';
import type { User } from '../tenant-store.ts';
import type { UserStore } from '../user-store.ts';
import { denyApprovedDevices, endPasswordResets, logOfAccount, noTenant } from './account-changes.ts';
import type { ControlDatabase, Queries, Reads } from './control-database.ts';
import { linkedIdentities, sessions, users } from './schema/identity.ts';
import { endSessions } from './session-rows.ts';

/** All columns of a user but the password. */
export const userColumns = { id: users.id, email: users.email, name: users.name, created_at: users.created_at };

export function userRows(database: ControlDatabase): UserStore {
  const { queries } = database;
  const find = async (queries: Reads, email: string): Promise<User | null> =>
    (await queries.select(userColumns).from(users).where(eq(users.email, email.toLowerCase())).get()) ?? null;
  return {
    find: async (email) => find(queries, email),

    passwordHash: async (userId) =>
      (await queries.select({ hash: users.password_hash }).from(users).where(eq(users.id, userId)).get())?.hash ?? null,

    findLinked: async ({ issuer, subject }) =>
      (await queries
        .select(userColumns)
        .from(linkedIdentities)
        .innerJoin(users, eq(users.id, linkedIdentities.user_id))
        .where(and(eq(linkedIdentities.issuer, issuer), eq(linkedIdentities.subject, subject)))
        .get()) ?? null,

    link: async (by, user_id, identity) => {
      await database.transaction(async (write, now) => {
        const linked = await write.select().from(linkedIdentities).where(eq(linkedIdentities.user_id, user_id)).all();
        if (linked.some(({ issuer }) => issuer === identity.issuer)) return;
        const { changes } = await write
          .insert(linkedIdentities)
          .values({ ...identity, user_id })
          .onConflictDoNothing()
          .run();
        if (changes === 0) return;
        if (linked.length === 0) await removeCredentials(write, now, by, user_id);
        await logOfAccount(write, now, by, 'user.link', user_id, identity);
      });
    },

    ensure: async (by, { email, name, password_hash }) => {
      const id = randomUUID();
      return database.write({ by, tenant_id: noTenant, action: 'user.create', target: id }, async (write, created_at) => {
        const existing = await find(write, email);
        if (existing) return { result: existing, unchanged: true };
        const user = { id, email: email.toLowerCase(), name, created_at };
        await write
          .insert(users)
          .values({ ...user, password_hash })
          .run();
        return { result: user, after: user };
      });
    },

    setPassword: async (by, userId, password_hash) =>
      database.transaction(async (write, now) => {
        await write.update(users).set({ password_hash }).where(eq(users.id, userId)).run();
        await endPasswordResets(write, userId);
        await logOfAccount(write, now, by, 'user.password', userId);
      }),

    replacePassword: async (by, userId, from, to) => replacePassword(database, by, userId, { from, to }),
  };
}

function replacePassword(
  database: ControlDatabase,
  by: Actor,
  userId: string,
  { from, to }: { from: string; to: string },
): Promise<boolean> {
  return database.transaction(async (write, now) => {
    const isCurrent = and(eq(users.id, userId), eq(users.password_hash, from));
    const { changes } = await write.update(users).set({ password_hash: to }).where(isCurrent).run();
    if (changes === 0) return false;
    await endPasswordResets(write, userId);
    await logOfAccount(write, now, by, 'user.password', userId);
    return true;
  });
}

/** Removes every credential of the user, within the current transaction and with audit entries of its own. */
async function removeCredentials(write: Queries, now: string, by: Actor, userId: string): Promise<void> {
  const withPassword = and(eq(users.id, userId), isNotNull(users.password_hash));
  const { changes } = await write.update(users).set({ password_hash: null }).where(withPassword).run();
  if (changes > 0) await logOfAccount(write, now, by, 'user.password', userId);
  await endPasswordResets(write, userId);
  await endSessions(write, now, by, eq(sessions.user_id, userId));
  await denyApprovedDevices(write, now, by, userId);
}
