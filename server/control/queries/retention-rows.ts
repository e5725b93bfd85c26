import { and, asc, eq, inArray } from 'drizzle-orm';
import type { Scope } from '../../platform/scope.ts';
import type { RetentionRules, RetentionStore } from '../retention-store.ts';
import { type ControlDatabase, countRows, type Reads } from './control-database.ts';
import { apps, environments } from './schema/identity.ts';
import { appRetention, environmentRetention } from './schema/retention.ts';

const ofApp = (table: typeof appRetention | typeof environmentRetention | typeof environments, { tenant_id, app_id }: Scope) =>
  and(eq(table.tenant_id, tenant_id), eq(table.app_id, app_id));

export function retentionRows(database: ControlDatabase): RetentionStore {
  const { queries } = database;
  return {
    // In a transaction, because rules of two moments could delete what each of them keeps.
    of: (scope) => database.transaction((reads) => rulesOf(reads, scope)),

    listApps: async () => queries.select({ tenant_id: apps.tenant_id, app_id: apps.id }).from(apps).orderBy(asc(apps.id)).all(),

    replace: (by, scope, rules) =>
      database.write({ by, ...scope, action: 'retention.update', target: scope.app_id }, async (write) => {
        const ids = rules.environments.map(({ environment_id }) => environment_id);
        const known = await countRows(write, environments, and(ofApp(environments, scope), inArray(environments.id, ids)));
        if (known < ids.length) return { result: false, unchanged: true };
        const before = await rulesInWords(write, scope);
        for (const table of [appRetention, environmentRetention]) await write.delete(table).where(ofApp(table, scope)).run();
        if (rules.keep_days !== null) {
          await write
            .insert(appRetention)
            .values({ ...scope, keep_days: rules.keep_days })
            .run();
        }
        if (ids.length > 0) {
          await write
            .insert(environmentRetention)
            .values(rules.environments.map((rule) => ({ ...scope, ...rule })))
            .run();
        }
        return { result: true, before, after: await rulesInWords(write, scope) };
      }),
  };
}

async function rulesOf(queries: Reads, scope: Scope): Promise<RetentionRules> {
  const app = await queries.select().from(appRetention).where(ofApp(appRetention, scope)).get();
  const { environment_id, keep_days } = environmentRetention;
  const own = queries.select({ environment_id, keep_days }).from(environmentRetention).where(ofApp(environmentRetention, scope));
  return { keep_days: app?.keep_days ?? null, environments: await own.orderBy(asc(environment_id)).all() };
}

/** For the audit log, which is read after environments have gone. */
async function rulesInWords(queries: Reads, scope: Scope): Promise<{ keep_days: number | null; environments: string[] }> {
  const { keep_days } = await rulesOf(queries, scope);
  const named = await queries
    .select({ name: environments.name, days: environmentRetention.keep_days })
    .from(environmentRetention)
    .innerJoin(environments, eq(environments.id, environmentRetention.environment_id))
    .where(ofApp(environmentRetention, scope))
    .orderBy(asc(environments.name))
    .all();
  return { keep_days, environments: named.map(({ name, days }) => `${name}: ${days}`) };
}
