import { randomUUID } from 'node:crypto';
import { and, eq, isNotNull } from 'drizzle-orm';
import type { Actor } from '../actor.ts';
import type { User } from '../tenant-store.ts';
import type { UserStore } from '../user-store.ts';
import type { ControlDatabase } from './control-database.ts';
import { linkedIdentities, sessions, users } from './schema/identity.ts';
import { endSessions } from './session-rows.ts';

/** All columns of a user but the password. */
export const userColumns = { id: users.id, email: users.email, name: users.name, created_at: users.created_at };

/** Tenant of audit entries that belong to none. */
const noTenant = '';

export function userRows(database: ControlDatabase): UserStore {
  const { queries } = database;
  const find = (email: string): User | null =>
    queries.select(userColumns).from(users).where(eq(users.email, email.toLowerCase())).get() ?? null;
  return {
    find: async (email) => find(email),

    passwordHash: async (userId) =>
      queries.select({ hash: users.password_hash }).from(users).where(eq(users.id, userId)).get()?.hash ?? null,

    findLinked: async ({ issuer, subject }) =>
      queries
        .select(userColumns)
        .from(linkedIdentities)
        .innerJoin(users, eq(users.id, linkedIdentities.user_id))
        .where(and(eq(linkedIdentities.issuer, issuer), eq(linkedIdentities.subject, subject)))
        .get() ?? null,

    link: async (by, user_id, identity) => {
      await database.write({ by, tenant_id: noTenant, action: 'user.link', target: user_id }, (write) => {
        const linked = write.select().from(linkedIdentities).where(eq(linkedIdentities.user_id, user_id)).all();
        if (linked.some(({ issuer }) => issuer === identity.issuer)) return { result: undefined, unchanged: true };
        const { changes } = write
          .insert(linkedIdentities)
          .values({ ...identity, user_id })
          .onConflictDoNothing()
          .run();
        if (changes === 0) return { result: undefined, unchanged: true };
        if (linked.length === 0) removeCredentials(database, by, user_id);
        return { result: undefined, after: identity };
      });
    },

    ensure: async (by, { email, name, password_hash }) => {
      const id = randomUUID();
      return database.write({ by, tenant_id: noTenant, action: 'user.create', target: id }, (write, created_at) => {
        const existing = find(email);
        if (existing) return { result: existing, unchanged: true };
        const user = { id, email: email.toLowerCase(), name, created_at };
        write
          .insert(users)
          .values({ ...user, password_hash })
          .run();
        return { result: user, after: user };
      });
    },

    setPassword: async (by, userId, password_hash) =>
      database.write({ by, tenant_id: noTenant, action: 'user.password', target: userId }, (write) => {
        write.update(users).set({ password_hash }).where(eq(users.id, userId)).run();
        return { result: undefined };
      }),

    replacePassword: async (by, userId, from, to) => replacePassword(database, by, userId, { from, to }),
  };
}

function replacePassword(database: ControlDatabase, by: Actor, userId: string, { from, to }: { from: string; to: string }): boolean {
  return database.write({ by, tenant_id: noTenant, action: 'user.password', target: userId }, (write) => {
    const isCurrent = and(eq(users.id, userId), eq(users.password_hash, from));
    const { changes } = write.update(users).set({ password_hash: to }).where(isCurrent).run();
    return changes === 0 ? { result: false, unchanged: true } : { result: true };
  });
}

/** Removes every credential of the user. Within the running transaction, with audit entries of its own. */
function removeCredentials(database: ControlDatabase, by: Actor, userId: string): void {
  const withPassword = and(eq(users.id, userId), isNotNull(users.password_hash));
  database.write({ by, tenant_id: noTenant, action: 'user.password', target: userId }, (write) => {
    const { changes } = write.update(users).set({ password_hash: null }).where(withPassword).run();
    return changes === 0 ? { result: undefined, unchanged: true } : { result: undefined };
  });
  endSessions(database, by, eq(sessions.user_id, userId));
}
