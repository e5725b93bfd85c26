import { desc, eq } from 'drizzle-orm';
import type { AuditLog } from '../audit-log.ts';
import { type ControlDatabase, countRows } from './control-database.ts';
import { audit } from './schema/identity.ts';

export function auditRows(database: ControlDatabase): AuditLog {
  const { queries } = database;
  return {
    recordRefusal: async (by, { tenant_id, app_id }, target) => {
      await database.write({ by, tenant_id, app_id: app_id || null, action: 'refused', target }, async () => ({ result: undefined }));
    },

    recordDeletion: async (by, { tenant_id, app_id }, target, before) => {
      await database.write({ by, tenant_id, app_id, action: 'trace.delete', target }, async () => ({ result: undefined, before }));
    },

    list: async (tenantId, { limit, offset }) => {
      const mine = eq(audit.tenant_id, tenantId);
      const rows = await queries.select().from(audit).where(mine).orderBy(desc(audit.id)).limit(limit).offset(offset).all();
      return { data: rows.map(({ tenant_id, ...entry }) => entry), total: await countRows(queries, audit, mine) };
    },
  };
}
