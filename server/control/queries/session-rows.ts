import { randomUUID } from 'node:crypto';
import { and, desc, eq, getTableColumns, gt, inArray, isNull, lt, ne, or, type SQL } from 'drizzle-orm';
import type { Actor } from '../actor.ts';
import type { Session, SessionDraft, SessionStore } from '../session-store.ts';
import { denyApprovedDevices } from './account-changes.ts';
import { type ControlDatabase, logChange, type Queries } from './control-database.ts';
import { members, sessions, tenants } from './schema/identity.ts';

const touchEveryMs = 60_000;

export function sessionRows(database: ControlDatabase): SessionStore {
  const { queries } = database;
  return {
    start: (by, draft) => database.transaction((write, now) => insertSession(write, now, by, draft)),

    replace: (by, id, draft) => {
      const isCurrent = and(eq(sessions.id, id), eq(sessions.user_id, draft.user_id), gt(sessions.expires_at, database.now()));
      return database.transaction(async (write, now) =>
        (await endSessions(write, now, by, isCurrent)) === 0 ? null : insertSession(write, now, by, draft),
      );
    },

    find: async (id) => {
      const isCurrent = and(eq(sessions.id, id), gt(sessions.expires_at, database.now()));
      return (await queries.select().from(sessions).where(isCurrent).get()) ?? null;
    },

    roles: async (ids) => {
      const rows = await queries
        .select({ id: sessions.id, role: members.role })
        .from(sessions)
        .innerJoin(members, and(eq(members.tenant_id, sessions.tenant_id), eq(members.user_id, sessions.user_id)))
        .where(and(inArray(sessions.id, [...ids]), gt(sessions.expires_at, database.now())))
        .all();
      return new Map(rows.map(({ id, role }) => [id, role]));
    },

    touch: (session) => touch(database, session),

    list: async (userId, limit) =>
      queries
        .select({ ...getTableColumns(sessions), tenant_name: tenants.name })
        .from(sessions)
        .innerJoin(tenants, eq(tenants.id, sessions.tenant_id))
        .where(and(eq(sessions.user_id, userId), gt(sessions.expires_at, database.now())))
        .orderBy(desc(sessions.created_at), desc(sessions.id))
        .limit(limit)
        .all(),

    ...endings(database),
  };
}

const endings = (database: ControlDatabase): Pick<SessionStore, 'end' | 'endOf' | 'endIn' | 'endOthers'> => ({
  end: (by, id) =>
    database.transaction(async (write, now) => {
      await endSessions(write, now, by, eq(sessions.id, id));
    }),

  endOf: (by, userId, id) =>
    database.transaction(async (write, now) => {
      const isCurrent = and(eq(sessions.id, id), eq(sessions.user_id, userId), gt(sessions.expires_at, now));
      return (await endSessions(write, now, by, isCurrent)) > 0;
    }),

  endIn: (by, tenant_id, userId) =>
    database.write({ by, tenant_id, action: 'member.sign_out', target: userId }, async (write, now) => {
      await endSessions(write, now, by, and(eq(sessions.tenant_id, tenant_id), eq(sessions.user_id, userId)));
      await denyApprovedDevices(write, now, by, userId, tenant_id);
      return { result: undefined };
    }),

  endOthers: (by, userId, exceptId) => {
    const others = and(eq(sessions.user_id, userId), ne(sessions.id, exceptId));
    return database.transaction(async (write, now) => {
      await endSessions(write, now, by, others);
      await denyApprovedDevices(write, now, by, userId);
    });
  },
});

async function insertSession(write: Queries, created_at: string, by: Actor, draft: SessionDraft): Promise<Session> {
  const { user_id, tenant_id, expires_at, client = null } = draft;
  const session = { id: randomUUID(), user_id, tenant_id, created_at, expires_at, client, ip: by.ip, last_used_at: null };
  await write.insert(sessions).values(session).run();
  await logChange(write, { by, tenant_id, action: 'session.start', target: session.id }, created_at, { after: session });
  return session;
}

async function touch(database: ControlDatabase, { id, last_used_at }: Pick<Session, 'id' | 'last_used_at'>): Promise<void> {
  const now = database.now();
  const longAgo = new Date(Date.parse(now) - touchEveryMs).toISOString();
  if (last_used_at !== null && last_used_at >= longAgo) return;
  const isDue = and(eq(sessions.id, id), or(isNull(sessions.last_used_at), lt(sessions.last_used_at, longAgo)));
  await database.transaction((write) => write.update(sessions).set({ last_used_at: now }).where(isDue).run());
}

/** Ends sessions within the current transaction, each with its own entry in the audit log. @returns how many */
export async function endSessions(write: Queries, now: string, by: Actor, which: SQL | undefined): Promise<number> {
  const ended = await write.delete(sessions).where(which).returning().all();
  for (const before of ended) {
    const { id, tenant_id } = before;
    await logChange(write, { by, tenant_id, action: 'session.end', target: id }, now, { before });
  }
  return ended.length;
}
