import { randomUUID } from 'node:crypto';
import { and, eq, gt, ne } from 'drizzle-orm';
import type { SessionStore } from '../session-store.ts';
import type { ControlDatabase } from './control-database.ts';
import { sessions } from './schema/identity.ts';

export function sessionRows(database: ControlDatabase): SessionStore {
  const { queries } = database;
  const end: SessionStore['end'] = async (by, id) => {
    const session = queries.select().from(sessions).where(eq(sessions.id, id)).get();
    if (!session) return;
    database.write({ by, tenant_id: session.tenant_id, action: 'session.end', target: id }, (write) => {
      write.delete(sessions).where(eq(sessions.id, id)).run();
      return { result: undefined, before: session };
    });
  };
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
      const stands = and(eq(sessions.id, id), gt(sessions.expires_at, database.now()));
      return queries.select().from(sessions).where(stands).get() ?? null;
    },

    end,

    endOthers: async (by, userId, keptId) => {
      const others = and(eq(sessions.user_id, userId), ne(sessions.id, keptId));
      for (const { id } of queries.select({ id: sessions.id }).from(sessions).where(others).all()) await end(by, id);
    },
  };
}
