/** Device sign-in requests: once decided, only the machine finds them, and the key belongs to the app that they were approved for. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { testClock } from '../fixtures/test-clock.ts';
import { must } from '../platform/assert.ts';
import type { Scope } from '../platform/scope.ts';
import type { Actor } from './actor.ts';
import type { ControlStore } from './control-store.ts';
import type { DeviceDraft } from './device-sign-in-store.ts';
import { openSqliteControl } from './drizzle/store.ts';

const by: Actor = { kind: 'user', id: 'somebody', ip: null };
const all = { limit: 100, offset: 0 };
let folder: string;
let control: ControlStore;
let now = Date.UTC(2026, 0, 1);
/** Two apps of one tenant, and one of another. */
let scopes: Scope[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'glasshouse-devices-'));
  control = openSqliteControl(
    folder,
    testClock(() => now),
  );
  const [one, two] = [
    await control.tenants.create(by, { name: 'one', plan: 'team' }),
    await control.tenants.create(by, { name: 'two', plan: 'team' }),
  ];
  scopes = [await anApp(one.id, 'first'), await anApp(one.id, 'second'), await anApp(two.id, 'first')];
});
beforeEach(() => {
  now += 3_600_000;
});
afterAll(async () => {
  await control.stop();
  rmSync(folder, { recursive: true });
});

async function anApp(tenant_id: string, name: string): Promise<Scope> {
  const { id } = await control.apps.create(by, tenant_id, { name, display_name: null, runtime: null, entry_point: null });
  return { tenant_id, app_id: id };
}

const aRequest = async (): Promise<DeviceDraft> => {
  const draft = {
    ...{ device_digest: randomBytes(32), user_digest: randomBytes(32), code_challenge: randomBytes(32).toString('base64url') },
    ...{ machine_name: 'laptop', product_version: '1', ip: null, interval_seconds: 5 },
    expires_at: new Date(now + 600_000).toISOString(),
  };
  await control.deviceSignIns.start(draft);
  return draft;
};
const environmentIdOf = async (scope: Scope) => must(await control.environments.findDefault(scope), 'every app has one').id;
const aKey = () => ({ digest: randomBytes(32), key_prefix: 'sk', permissions: [] });

it('a key is created for the app that was approved, and for no other', async () => {
  for (const scope of scopes) {
    const request = await aRequest();
    expect(await control.deviceSignIns.approve(by, scope, request.user_digest, await environmentIdOf(scope))).toMatchObject({ ip: null });
    const counts = await Promise.all(scopes.map((candidate) => control.deviceSignIns.countApproved(candidate)));
    expect(counts).toEqual(scopes.map((candidate) => (candidate === scope ? 1 : 0)));
    const mixed = scopes.map(({ tenant_id }) => ({ ...scope, tenant_id })).filter(({ tenant_id }) => tenant_id !== scope.tenant_id);
    for (const foreign of [...scopes.filter((candidate) => candidate !== scope), ...mixed])
      expect(await control.deviceSignIns.redeem(by, foreign, request, aKey())).toBeNull();
    const before = await Promise.all(scopes.map((candidate) => control.keys.count(candidate)));
    expect(await control.deviceSignIns.redeem(by, scope, request, aKey())).toEqual({ environment: 'dev' });
    const after = await Promise.all(scopes.map((candidate) => control.keys.count(candidate)));
    expect(after).toEqual(before.map((count, index) => (scopes[index] === scope ? count + 1 : count)));
    expect(await control.deviceSignIns.redeem(by, scope, request, aKey())).toBeNull();
  }
});

it('an environment of another app creates no key and changes nothing', async () => {
  const [first, second] = scopes as [Scope, Scope];
  const request = await aRequest();
  await control.deviceSignIns.approve(by, first, request.user_digest, await environmentIdOf(second));
  const before = await control.keys.list(first, all);
  expect(await control.deviceSignIns.redeem(by, first, request, aKey())).toBeNull();
  expect(await control.keys.list(first, all)).toEqual(before);
});

it('a decided request is not found by its code, in any tenant', async () => {
  const [first, , third] = scopes as [Scope, Scope, Scope];
  const request = await aRequest();
  expect(await control.deviceSignIns.findPending(request.user_digest)).toMatchObject({ machine_name: 'laptop' });
  await control.deviceSignIns.approve(by, first, request.user_digest, await environmentIdOf(first));
  expect(await control.deviceSignIns.findPending(request.user_digest)).toBeNull();
  expect(await control.deviceSignIns.approve(by, third, request.user_digest, await environmentIdOf(third))).toBeNull();
  expect(await control.deviceSignIns.deny(by, third.tenant_id, request.user_digest)).toBe(false);
  expect(await control.deviceSignIns.poll(request)).toEqual({ status: 'approved', scope: first, decided_by: 'somebody' });
});

it('a request is deleted with its app, and expired requests when the next one starts', async () => {
  const { tenant_id } = scopes[0] as Scope;
  const scope = await anApp(tenant_id, 'deleted');
  const [request, old] = [await aRequest(), await aRequest()];
  await control.deviceSignIns.approve(by, scope, request.user_digest, await environmentIdOf(scope));
  await control.apps.remove(by, tenant_id, scope.app_id);
  expect(await control.deviceSignIns.poll(request)).toBeNull();
  now += 600_000;
  await expect(
    control.deviceSignIns.start({ ...old, device_digest: randomBytes(32), expires_at: new Date(now + 1).toISOString() }),
  ).resolves.toBeUndefined();
});

it('two machines never display the same code at the same time', async () => {
  const { user_digest } = await aRequest();
  const again = { ...(await aRequest()), device_digest: randomBytes(32), user_digest };
  await expect(control.deviceSignIns.start(again)).rejects.toThrow('already');
});
