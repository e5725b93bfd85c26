import { randomUUID } from 'node:crypto';
import { and, desc, eq, gt, inArray, isNull, lt, or } from 'drizzle-orm';
import type { Scope } from '../../platform/scope.ts';
import { type Actor, signatureOf } from '../actor.ts';
import type { ApiKey, KeyDraft, KeyStore } from '../key-store.ts';
import { assertBelow } from '../limit-reached.ts';
import { type ControlDatabase, countRows, orDuplicate, type Queries, type Reads } from './control-database.ts';
import { deviceSignIns } from './schema/device-sign-in.ts';
import { apiKeys } from './schema/identity.ts';

const touchEveryMs = 60_000;

type Row = typeof apiKeys.$inferSelect;

/** As in the API: without digest and tenant. */
function asApiKey({ tenant_id, digest, run_id, created_by, environment_kinds, ...key }: Row): ApiKey {
  return environment_kinds ? { ...key, environment_kinds } : key;
}

const isActive = ({ tenant_id, app_id }: Scope) =>
  and(eq(apiKeys.tenant_id, tenant_id), eq(apiKeys.app_id, app_id), isNull(apiKeys.revoked_at));

export function keyRows(database: ControlDatabase): KeyStore {
  const { queries } = database;
  return {
    create: async (by, scope, draft, max) => {
      const id = randomUUID();
      return database.write({ by, ...scope, action: 'api_key.create', target: id }, async (write, created_at) => {
        await assertKeysBelow(write, scope, max, created_at);
        const key = await insertKey(write, { by, scope, id, created_at }, draft);
        return { result: key, after: key };
      });
    },

    findByDigest: async (digest) => {
      const row = await queries
        .select()
        .from(apiKeys)
        .where(eq(apiKeys.digest, Buffer.from(digest)))
        .get();
      if (!row) return null;
      const { id, name, tenant_id, app_id, environment_id, environment_kinds, run_id, expires_at, revoked_at } = row;
      const properties = { id, name, environment_id, environment_kinds, run_id, expires_at, revoked_at };
      return { ...properties, scope: { tenant_id, app_id }, permissions: new Set(row.permissions) };
    },

    active: (ids) => activeAmong(database, ids),

    list: async (scope, { limit, offset }) => {
      const mine = isActive(scope);
      const rows = await queries
        .select()
        .from(apiKeys)
        .where(mine)
        .orderBy(desc(apiKeys.created_at), apiKeys.id)
        .limit(limit)
        .offset(offset)
        .all();
      return { data: rows.map(asApiKey), total: await countRows(queries, apiKeys, mine) };
    },

    count: async (scope) => countKeys(queries, scope),

    revoke: async (by, scope, id) =>
      database.write({ by, ...scope, action: 'api_key.revoke', target: id }, async (write, revoked_at) => {
        const mine = and(isActive(scope), eq(apiKeys.id, id));
        const before = await write.select().from(apiKeys).where(mine).get();
        if (!before) return { result: false, unchanged: true };
        await write.update(apiKeys).set({ revoked_at }).where(mine).run();
        return { result: true, before: asApiKey(before), after: { ...asApiKey(before), revoked_at } };
      }),

    touch: async (id) => touch(database, id),
  };
}

async function activeAmong(database: ControlDatabase, ids: readonly string[]): Promise<Set<string>> {
  const isCurrent = and(isNull(apiKeys.revoked_at), or(isNull(apiKeys.expires_at), gt(apiKeys.expires_at, database.now())));
  const among = and(inArray(apiKeys.id, [...ids]), isCurrent);
  const rows = await database.queries.select({ id: apiKeys.id }).from(apiKeys).where(among).all();
  return new Set(rows.map(({ id }) => id));
}

const countKeys = (queries: Reads, scope: Scope): Promise<number> =>
  countRows(queries, apiKeys, and(isActive(scope), isNull(apiKeys.run_id)));

/** Within the transaction of a new key, or of the approval of one. @throws LimitReached */
export async function assertKeysBelow(write: Reads, scope: Scope, max: number | null, now: string): Promise<void> {
  const ofApp = and(eq(deviceSignIns.tenant_id, scope.tenant_id), eq(deviceSignIns.app_id, scope.app_id));
  const isApproved = and(ofApp, eq(deviceSignIns.status, 'approved'), gt(deviceSignIns.expires_at, now));
  const approved = await countRows(write, deviceSignIns, isApproved);
  assertBelow(max, (await countKeys(write, scope)) + approved);
}

interface KeyCreation {
  by: Actor;
  scope: Scope;
  id: string;
  created_at: string;
}

/** Inserts a key within the current transaction. @throws Duplicate when an active key of the app has that name */
export async function insertKey(write: Queries, { by, scope, ...creation }: KeyCreation, draft: KeyDraft): Promise<ApiKey> {
  const { digest, permissions, environment_kinds, ...rest } = draft;
  const row = {
    ...{ ...rest, ...creation, ...scope, digest: Buffer.from(digest), created_by: signatureOf(by) },
    ...{ permissions: [...permissions], environment_kinds: environment_kinds && [...environment_kinds] },
    ...{ last_used_at: null, revoked_at: null },
  };
  await orDuplicate('API key', draft.name, () => write.insert(apiKeys).values(row).run());
  return asApiKey(row);
}

/** The name itself if no active key of the app has it, otherwise with the first free number appended. */
export async function freeKeyName(queries: Reads, scope: Scope, wanted: string): Promise<string> {
  const isTaken = async (name: string) => (await countRows(queries, apiKeys, and(isActive(scope), eq(apiKeys.name, name)))) > 0;
  let name = wanted;
  for (let number = 2; await isTaken(name); number++) name = `${wanted} ${number}`;
  return name;
}

async function touch(database: ControlDatabase, id: string): Promise<void> {
  const now = database.now();
  const longAgo = new Date(Date.parse(now) - touchEveryMs).toISOString();
  const isDue = or(isNull(apiKeys.last_used_at), lt(apiKeys.last_used_at, longAgo));
  const isUnused = and(eq(apiKeys.id, id), isDue);
  const key = await database.queries.select({ id: apiKeys.id }).from(apiKeys).where(isUnused).get();
  if (key) await database.transaction((write) => write.update(apiKeys).set({ last_used_at: now }).where(isUnused).run());
}
