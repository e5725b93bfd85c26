import { and, desc, eq, gte, lt, or, type SQL } from 'drizzle-orm';
import type { AuditFilter, AuditLog } from '../audit-log.ts';
import { auditNames } from './audit-names.ts';
import { type ControlDatabase, countRows, logChange } from './control-database.ts';
import { audit, members } from './schema/identity.ts';

export function auditRows(database: ControlDatabase): AuditLog {
  const { queries } = database;
  return {
    recordRefusal: async (by, { tenant_id, app_id }, target) => {
      await database.write({ by, tenant_id, app_id: app_id || null, action: 'refused', target }, async () => ({ result: undefined }));
    },

    recordDeletion: async (by, { tenant_id, app_id }, target, before) => {
      await database.write({ by, tenant_id, app_id, action: 'trace.delete', target }, async () => ({ result: undefined, before }));
    },

    recordRefusedSignIn: (userId, ip) =>
      database.transaction(async (write, now) => {
        const by = { kind: 'system', id: 'sign-in', ip } as const;
        const teams = await write.select({ tenant_id: members.tenant_id }).from(members).where(eq(members.user_id, userId)).all();
        for (const { tenant_id } of teams) await logChange(write, { by, tenant_id, action: 'session.refuse', target: userId }, now, {});
      }),

    list: async (tenantId, { limit, offset, ...filter }) => {
      const mine = matching(tenantId, filter);
      const rows = await queries.select().from(audit).where(mine).orderBy(desc(audit.id)).limit(limit).offset(offset).all();
      return { data: rows.map(({ tenant_id, ...entry }) => entry), total: await countRows(queries, audit, mine) };
    },

    names: (tenantId, ids) => auditNames(queries, tenantId, ids),
  };
}

const asIso = (ms: number): string => new Date(ms).toISOString();

function matching(tenantId: string, { actor, action, target, app_id, from, to }: AuditFilter): SQL | undefined {
  return and(
    eq(audit.tenant_id, tenantId),
    actor === undefined ? undefined : eq(audit.actor_id, actor),
    action === undefined ? undefined : isAction(action),
    target === undefined ? undefined : eq(audit.target, target),
    app_id === undefined ? undefined : eq(audit.app_id, app_id),
    from === undefined ? undefined : gte(audit.at, asIso(from)),
    to === undefined ? undefined : lt(audit.at, asIso(to)),
  );
}

/** The action itself, or one on the resource: `/` is the character after `.`. */
const isAction = (action: string): SQL | undefined =>
  or(eq(audit.action, action), and(gte(audit.action, `${action}.`), lt(audit.action, `${action}/`)));
