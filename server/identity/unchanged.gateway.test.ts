/** Of open streams only those whose admission may have changed are authenticated again: whatever ends or changes one is noticed. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { contract } from '../../shared/contract/index.ts';
import { aMember, anApp, by, keyDraft } from '../control/conformance/records.ts';
import { TestTime } from '../control/conformance/test-time.ts';
import { openSqliteControl } from '../control/sqlite/open.ts';
import { MemoryBuckets } from '../coordination/memory-buckets.ts';
import type { Scope } from '../platform/scope.ts';
import type { Principal } from './authenticator.ts';
import { ClientAddresses } from './client-addresses.ts';
import { CloudAuthenticator } from './cloud-authenticator.ts';
import { newKeyValue } from './key-value.ts';
import { Logins } from './logins.ts';
import { SessionTokens } from './session-token.ts';

const time = new TestTime();
const folder = mkdtempSync(join(tmpdir(), 'glasshouse-unchanged-'));
const control = openSqliteControl(folder, time);
const tokens = new SessionTokens(['a secret of these tests, which is longer than it must be'], time);
const authenticator = new CloudAuthenticator(control, tokens, new ClientAddresses(), time);
const logins = new Logins(control, tokens, new MemoryBuckets(time), time);
afterAll(async () => {
  await control.stop();
  rmSync(folder, { recursive: true, force: true });
});

function admit(authorization: string, { app_id }: Scope): Promise<Principal> {
  const request = new IncomingMessage(new Socket());
  request.headers = { authorization, 'x-service-app-id': app_id };
  return authenticator.authenticate(request, contract.viewer.live, {});
}

async function aKey(expires_at: string | null = null) {
  const scope = await anApp(control);
  const { value, digest } = newKeyValue();
  const { id } = await control.keys.create(by, scope, { ...keyDraft(randomUUID(), { expires_at }), digest }, null);
  return { scope, id, principal: await admit(value, scope) };
}

async function aLogin() {
  const scope = await anApp(control);
  const userId = await aMember(control, scope.tenant_id, 'read');
  const user = (await control.tenants.findMember(scope.tenant_id, userId)) ?? expect.unreachable();
  const { token } = (await logins.start(user, scope.tenant_id, { ip: null, client: null })) ?? expect.unreachable();
  const principal = await admit(`Bearer ${token}`, scope);
  return { scope, userId, principal, id: principal.session?.id ?? '' };
}

it('a credential is unchanged until it ends, or its app, its user or their role goes', async () => {
  const keys = { kept: await aKey(), revoked: await aKey(), expired: await aKey(time.in(60_000)), ofApp: await aKey() };
  const users = { kept: await aLogin(), ended: await aLogin(), ofApp: await aLogin(), removed: await aLogin(), promoted: await aLogin() };
  const all = [...Object.values(keys), ...Object.values(users)].map(({ principal }) => principal);
  expect(await authenticator.unchanged(all)).toEqual(new Set(all));

  await control.keys.revoke(by, keys.revoked.scope, keys.revoked.id);
  await control.sessions.end(by, users.ended.id);
  for (const { scope } of [keys.ofApp, users.ofApp]) await control.apps.remove(by, scope.tenant_id, scope.app_id);
  await control.tenants.removeMember(by, users.removed.scope.tenant_id, users.removed.userId, 'read');
  await control.tenants.changeRole(by, users.promoted.scope.tenant_id, users.promoted.userId, 'read', 'write');
  time.ms += 60_000;
  expect(await authenticator.unchanged(all)).toEqual(new Set([keys.kept.principal, users.kept.principal]));

  time.ms += 24 * 60 * 60_000;
  expect(await authenticator.unchanged(all)).toEqual(new Set([keys.kept.principal]));
  expect(await authenticator.unchanged([])).toEqual(new Set());
});
