import { randomUUID } from 'node:crypto';
import { and, eq, gt, ne, type SQL } from 'drizzle-orm';
import type { Actor } from '../actor.ts';
import type { SessionStore } from '../session-store.ts';
import type { ControlDatabase } from './control-database.ts';
import { sessions } from './schema/identity.ts';

export function sessionRows(database: ControlDatabase): SessionStore {
  const { queries } = database;
  return {
    start: async (by, { user_id, tenant_id, expires_at }) => {
      const id = randomUUID();
      return database.write({ by, tenant_id, action: 'session.start', target: id }, (write, created_at) => {
        const session = { id, user_id, tenant_id, created_at, expires_at };
        write.insert(sessions).values(session).run();
        return { result: session, after: session };
      });
    },

    find: async (id) => {
      const isCurrent = and(eq(sessions.id, id), gt(sessions.expires_at, database.now()));
      return queries.select().from(sessions).where(isCurrent).get() ?? null;
    },

    end: async (by, id) => endSessions(database, by, eq(sessions.id, id)),

    endOthers: async (by, userId, exceptId) => endSessions(database, by, and(eq(sessions.user_id, userId), ne(sessions.id, exceptId))),
  };
}

/** Ends sessions, each with its own entry in the audit log. */
export function endSessions(database: ControlDatabase, by: Actor, which: SQL | undefined): void {
  for (const session of database.queries.select().from(sessions).where(which).all()) {
    const { id, tenant_id } = session;
    database.write({ by, tenant_id, action: 'session.end', target: id }, (write) => {
      write.delete(sessions).where(eq(sessions.id, id)).run();
      return { result: undefined, before: session };
    });
  }
}
