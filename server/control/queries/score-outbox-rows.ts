import { asc, eq, gt } from 'drizzle-orm';
import type { ScoreOutbox } from '../score-outbox.ts';
import type { ControlDatabase } from './control-database.ts';
import { scoreOutbox } from './schema/reviews.ts';

/** Covers all apps; each entry has its scope. */
export function scoreOutboxRows(database: ControlDatabase): ScoreOutbox {
  const { queries } = database;
  return {
    pending: async (after, limit) => {
      const rows = await queries
        .select()
        .from(scoreOutbox)
        .where(gt(scoreOutbox.position, after))
        .orderBy(asc(scoreOutbox.position))
        .limit(limit)
        .all();
      return rows.map(({ position, tenant_id, app_id, scores }) => ({ position, scope: { tenant_id, app_id }, scores }));
    },

    arrived: async (position) => {
      await database.transaction((write) => write.delete(scoreOutbox).where(eq(scoreOutbox.position, position)).run());
    },
  };
}
