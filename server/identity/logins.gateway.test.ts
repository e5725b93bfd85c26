/** A password check takes long enough for the password to change meanwhile. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSqliteControl } from '../control/sqlite/open.ts';
import { MemoryBuckets } from '../coordination/memory-buckets.ts';
import { startTestCloud, type TestCloud } from '../fixtures/test-cloud.ts';
import { must } from '../platform/assert.ts';
import { systemClock } from '../platform/clock.ts';
import { type Login, Logins } from './logins.ts';
import { hashPassword } from './password.ts';
import { SessionTokens } from './session-token.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud.stop());

it('starts no login with a password that was changed while it was checked', async () => {
  const { email, password } = cloud.tenant;
  const control = openSqliteControl(cloud.dataDir, systemClock);
  const logins = new Logins(
    control,
    new SessionTokens(['a secret that is longer than it must be'], systemClock),
    new MemoryBuckets(systemClock),
    systemClock,
  );
  const user = must(await control.users.find(email), 'the owner is a user');
  const next = await hashPassword('another password');
  const system = { kind: 'system', id: 'test', ip: null } as const;
  // The passwords of test clouds are checked too quickly for this.
  await control.users.setPassword(system, user.id, await hashPassword(password));

  const late = logins.withPassword(email, password, undefined, { ip: null, client: null });
  // By then the check is running in a thread, with the stored hash.
  await new Promise(setImmediate);
  await control.users.setPassword(system, user.id, next);
  await control.sessions.endOthers(system, user.id, '');

  expect(await late).toBeNull();
  expect(await logins.withPassword(email, password, undefined, { ip: null, client: null })).toBeNull();
  expect((await logins.withPassword(email, 'another password', undefined, { ip: null, client: null }))?.user.id).toBe(user.id);
  await control.stop();
});

it('enters a tenant with a login once, and not after it has ended', async () => {
  const control = openSqliteControl(cloud.dataDir, systemClock);
  const tokens = new SessionTokens(['a secret that is longer than it must be'], systemClock);
  const logins = new Logins(control, tokens, new MemoryBuckets(systemClock), systemClock);
  const { tenant_id } = cloud.tenant;
  const user = must(await control.users.find(cloud.tenant.email), 'the owner is a user');
  const idOf = async (login: Login | null) => must(await tokens.read(must(login, 'a member').token), 'it is signed').sid;
  const first = { id: await idOf(await logins.start(user, tenant_id, { ip: null, client: null })) };
  const second = { id: await idOf(await logins.enter(first, user, tenant_id, { ip: null, client: null })) };
  expect(await logins.enter(first, user, tenant_id, { ip: null, client: null })).toBeNull();
  // Meanwhile a new password has ended all logins.
  await control.sessions.endOthers({ kind: 'system', id: 'test', ip: null }, user.id, '');
  expect(await logins.enter(second, user, tenant_id, { ip: null, client: null })).toBeNull();
  await control.stop();
});

it('changes no password that was removed while it was checked', async () => {
  const control = openSqliteControl(cloud.dataDir, systemClock);
  const logins = new Logins(
    control,
    new SessionTokens(['a secret that is longer than it must be'], systemClock),
    new MemoryBuckets(systemClock),
    systemClock,
  );
  const system = { kind: 'system', id: 'test', ip: null } as const;
  const draft = { email: 'somebody@acme.test', name: null, password_hash: await hashPassword('of somebody else') };
  const { id } = await control.users.ensure(system, draft);

  const late = logins.changePassword({ ...system, kind: 'user', id }, '', 'of somebody else', 'kept by somebody else');
  await new Promise(setImmediate);
  await control.users.link(system, id, { issuer: 'https://issuer.test', subject: 'the owner of the address' });

  expect(await late).toBe(false);
  expect(await control.users.passwordHash(id)).toBeNull();
  await control.stop();
});
