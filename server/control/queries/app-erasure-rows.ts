import { asc, eq, gt } from 'drizzle-orm';
import type { AppErasures } from '../app-erasures.ts';
import type { ControlDatabase } from './control-database.ts';
import { appErasures } from './schema/identity.ts';

/** Covers all tenants, like the outbox of scores. */
export function appErasureRows(database: ControlDatabase): AppErasures {
  const { queries } = database;
  return {
    pending: async (after, limit) => {
      const isAfter = gt(appErasures.position, after);
      const rows = await queries.select().from(appErasures).where(isAfter).orderBy(asc(appErasures.position)).limit(limit).all();
      return rows.map(({ position, ...scope }) => ({ position, scope }));
    },

    arrived: async (position) => {
      await database.transaction((write) => write.delete(appErasures).where(eq(appErasures.position, position)).run());
    },
  };
}
