import { and, asc, eq, gt, isNotNull } from 'drizzle-orm';
import type { SealedPlace, SealedTextStore } from '../sealed-text-store.ts';
import type { ControlDatabase } from './control-database.ts';
import { alertChannels, alertSlack, alertWebhooks } from './schema/alerts.ts';
import { gitConnections } from './schema/repositories.ts';

const { sealed_secret, sealed_previous_secret } = alertWebhooks;

/** Every column whose name begins with `sealed`. */
export const places = {
  'git tokens': { table: gitConnections, id: gitConnections.app_id, sealed: gitConnections.sealed_tokens },
  'webhook secret': { table: alertWebhooks, id: alertWebhooks.environment_id, sealed: sealed_secret },
  'previous webhook secret': { table: alertWebhooks, id: alertWebhooks.environment_id, sealed: sealed_previous_secret },
  'slack token': { table: alertSlack, id: alertSlack.app_id, sealed: alertSlack.sealed_token },
  'alert channel': { table: alertChannels, id: alertChannels.id, sealed: alertChannels.sealed },
} as const satisfies Record<SealedPlace, unknown>;

export const sealedTextRows = (database: ControlDatabase): SealedTextStore => ({
  list: async (place, after, limit) => {
    const { table, id, sealed } = places[place];
    const rows = await database.queries
      .select({ id, tenant_id: table.tenant_id, app_id: table.app_id, sealed })
      .from(table)
      .where(and(gt(id, after), isNotNull(sealed)))
      .orderBy(asc(id))
      .limit(limit)
      .all();
    return rows.map((row) => ({ ...row, sealed: row.sealed as string }));
  },

  replace: (place, text, next) => {
    const { table, id, sealed } = places[place];
    const isUnchanged = and(eq(id, text.id), eq(table.tenant_id, text.tenant_id), eq(sealed, text.sealed));
    return database.transaction(
      async (write) =>
        (
          await write
            .update(table)
            .set({ [sealed.name]: next })
            .where(isUnchanged)
            .run()
        ).changes > 0,
    );
  },
});
