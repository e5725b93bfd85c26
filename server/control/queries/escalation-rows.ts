import { randomUUID } from 'node:crypto';
import { and, desc, eq } from 'drizzle-orm';
import { signatureOf } from '../actor.ts';
import type { Escalation, EscalationStore } from '../escalation-store.ts';
import { type ControlDatabase, countRows } from './control-database.ts';
import { escalations } from './schema/evals.ts';

const asEscalation = ({ id, run_id, ticket, created_at }: typeof escalations.$inferSelect): Escalation => ({
  ...{ ...ticket, id },
  ...{ run_id, created_at },
});

export function escalationRows(database: ControlDatabase): EscalationStore {
  const { queries } = database;
  return {
    create: async (by, scope, run_id, ticket) => {
      const id = randomUUID();
      return database.write({ by, ...scope, action: 'escalation.create', target: id }, async (write, created_at) => {
        const row = { id, ...scope, run_id, ticket, created_by: signatureOf(by), created_at };
        await write.insert(escalations).values(row).run();
        return { result: asEscalation(row), after: asEscalation(row) };
      });
    },

    list: async ({ tenant_id, app_id }, runId, { limit, offset }) => {
      const mine = and(eq(escalations.tenant_id, tenant_id), eq(escalations.app_id, app_id), eq(escalations.run_id, runId));
      const rows = await queries
        .select()
        .from(escalations)
        .where(mine)
        .orderBy(desc(escalations.created_at), escalations.id)
        .limit(limit)
        .offset(offset)
        .all();
      return { data: rows.map(asEscalation), total: await countRows(queries, escalations, mine) };
    },
  };
}
