import { and, eq, inArray } from 'drizzle-orm';
import type { Reads } from './control-database.ts';
import { apiKeys, apps, environments, users } from './schema/identity.ts';

/** Fewer than a statement may have parameters. */
const idsAtOnce = 1000;

/** Names of people, keys, apps and environments by id. The ids come from entries of the tenant, so its people may know them. */
export async function auditNames(queries: Reads, tenantId: string, ids: ReadonlySet<string>): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  const all = [...ids];
  for (let at = 0; at < all.length; at += idsAtOnce)
    for (const { id, name } of await namesOf(queries, tenantId, all.slice(at, at + idsAtOnce))) names.set(id, name);
  return names;
}

async function namesOf(queries: Reads, tenantId: string, ids: string[]): Promise<{ id: string; name: string }[]> {
  const people = queries.select({ id: users.id, name: users.email }).from(users).where(inArray(users.id, ids)).all();
  const owned = [apiKeys, apps, environments].map((table) =>
    queries
      .select({ id: table.id, name: table.name })
      .from(table)
      .where(and(eq(table.tenant_id, tenantId), inArray(table.id, ids)))
      .all(),
  );
  return (await Promise.all([people, ...owned])).flat();
}
