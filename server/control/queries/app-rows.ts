import { randomUUID } from 'node:crypto';
import { and, desc, eq, inArray } from 'drizzle-orm';
import { signatureOf, userIdOf } from '../actor.ts';
import type { AppStore } from '../app-store.ts';
import { assertBelow } from '../limit-reached.ts';
import { type ControlDatabase, countRows, orDuplicate, type Reads } from './control-database.ts';
import { appErasures, apps, environments } from './schema/identity.ts';

/** Initial environment of an app, which follows the head of the branch. */
const defaultEnvironment = { name: 'dev', kind: 'development', is_default: true, is_ephemeral: false, epoch: 1 } as const;

const isMine = (tenantId: string, appId: string) => and(eq(apps.tenant_id, tenantId), eq(apps.id, appId));

export function appRows(database: ControlDatabase): AppStore {
  const { queries } = database;
  const find = async (queries: Reads, tenantId: string, appId: string) =>
    (await queries.select().from(apps).where(isMine(tenantId, appId)).get()) ?? null;

  return {
    create: async (by, tenant_id, draft, max) => {
      const id = randomUUID();
      return database.write({ by, tenant_id, app_id: id, action: 'app.create', target: id }, async (write, created_at) => {
        assertBelow(max, await countRows(write, apps, eq(apps.tenant_id, tenant_id)));
        const initial = { commit_sha: null, created_at, created_by: signatureOf(by), updated_at: null, updated_by: null };
        const app = { ...draft, ...initial, id, tenant_id };
        await orDuplicate('app', draft.name, () => write.insert(apps).values(app).run());
        await write
          .insert(environments)
          .values({ id: randomUUID(), tenant_id, app_id: id, ...defaultEnvironment, created_at, created_by_id: userIdOf(by) })
          .run();
        return { result: app, after: app };
      });
    },

    find: async (tenantId, appId) => find(queries, tenantId, appId),

    existing: (appIds) => existingAmong(queries, appIds),

    list: async (tenantId, { limit, offset, name }) => {
      const filter = and(eq(apps.tenant_id, tenantId), name === undefined ? undefined : eq(apps.name, name));
      const data = await queries
        .select()
        .from(apps)
        .where(filter)
        .orderBy(desc(apps.created_at), apps.id)
        .limit(limit)
        .offset(offset)
        .all();
      return { data, total: await countRows(queries, apps, filter) };
    },

    update: async (by, tenant_id, appId, change) =>
      database.write({ by, tenant_id, app_id: appId, action: 'app.update', target: appId }, async (write, updated_at) => {
        const before = await find(write, tenant_id, appId);
        if (!before) return { result: null, unchanged: true };
        const set = { ...change, id: appId, tenant_id, updated_at, updated_by: signatureOf(by) };
        await orDuplicate('app', change.name ?? before.name, () => write.update(apps).set(set).where(isMine(tenant_id, appId)).run());
        const after = await find(write, tenant_id, appId);
        return { result: after, before, after };
      }),

    remove: async (by, tenant_id, appId) =>
      database.write({ by, tenant_id, app_id: appId, action: 'app.delete', target: appId }, async (write) => {
        const before = await find(write, tenant_id, appId);
        if (!before) return { result: false, unchanged: true };
        await write.delete(apps).where(isMine(tenant_id, appId)).run();
        await write.insert(appErasures).values({ tenant_id, app_id: appId }).run();
        return { result: true, before };
      }),
  };
}

async function existingAmong(queries: Reads, appIds: readonly string[]): Promise<Set<string>> {
  const among = inArray(apps.id, [...appIds]);
  const rows = await queries.select({ id: apps.id }).from(apps).where(among).all();
  return new Set(rows.map(({ id }) => id));
}
