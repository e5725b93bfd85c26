import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openSqliteControl } from '../../control/sqlite/open.ts';
import { addMember } from '../../fixtures/add-member.ts';
import { codeOf } from '../../fixtures/code-of.ts';
import { type MailServer, startMailServer } from '../../fixtures/mail-server.ts';
import { testClock } from '../../fixtures/test-clock.ts';
import { startTestCloud, type TestCloud, type TestTenant } from '../../fixtures/test-cloud.ts';
import { newKeyValue } from '../../identity/key-value.ts';
import { standardPlans } from '../../limits/plan-table.ts';
import { systemClock } from '../../platform/clock.ts';

let laterMs = 0;
let mail: MailServer;
let cloud: TestCloud;
let tenant: TestTenant;
let other: TestTenant;
let admin: Awaited<ReturnType<typeof addMember>>;

beforeAll(async () => {
  mail = await startMailServer();
  const clock = testClock(() => Date.now() + laterMs);
  cloud = await startTestCloud({ clock, mail: mail.settings, publicUrl: 'https://g.test', signInsPerMinute: 60 });
  tenant = cloud.tenant;
  other = await cloud.addTenant('other');
  admin = await addMember(cloud, tenant, 'admin@acme.test', 'admin');
});
beforeEach(() => {
  // Sign-ins are limited by the minute.
  laterMs += 60_000;
});
afterAll(async () => {
  await cloud.stop();
  await mail.stop();
});

const rolesOf = async (of: TestTenant) => Object.fromEntries((await of.owner.members.list()).data.map(({ email, role }) => [email, role]));

describe('members', () => {
  it('are those of the tenant, and nobody of another', async () => {
    expect(await rolesOf(tenant)).toEqual({ 'owner@acme.test': 'owner', 'admin@acme.test': 'admin' });
    expect(await rolesOf(other)).toEqual({ 'owner@other.test': 'owner' });
  });

  it('an invited person joins with a password of their own, once, with the permissions of the role', async () => {
    const email = 'Mira@Acme.test';
    const { data } = await admin.client.members.invite({ body: { email, name: 'Mira', role: 'read' } });
    expect(data).toMatchObject({ email: 'mira@acme.test', name: 'Mira', role: 'read' });
    expect(Object.keys(await rolesOf(tenant))).not.toContain('mira@acme.test');
    const { code, email_sent, ...invitation } = data;
    expect(email_sent).toBe(true);
    expect((await tenant.owner.members.invitations()).data).toEqual([invitation]);
    const join = (password: string) => cloud.as(null).auth.join({ body: { code, password } });
    expect(await codeOf(join('short'))).toBe('400 invalid_request_body');

    const { data: login } = await join('a password of mira');
    expect(login).toMatchObject({ user: { email: 'mira@acme.test', name: 'Mira' }, tenant: { name: 'acme' } });
    expect(await codeOf(join('a password of mira'))).toBe('404 invitation_not_found');
    expect((await tenant.owner.members.invitations()).data).toEqual([]);
    const mira = cloud.as(login.token, tenant.app_id);
    expect((await mira.members.list()).data).toHaveLength(3);
    expect(await codeOf(mira.members.invite({ body: { email: 'a@b.test', role: 'read' } }))).toBe('403 forbidden');
    expect(await codeOf(admin.client.members.invite({ body: { email, role: 'write' } }))).toBe('409 duplicate_member');

    const userId = login.user.id;
    expect((await admin.client.members.change({ params: { userId }, body: { role: 'write' } })).data.role).toBe('write');
    expect((await mira.auth.me()).data.role).toBe('write');
    await admin.client.members.remove({ params: { userId } });
    expect(await codeOf(mira.auth.me())).toBe('401 unauthorized');
  });

  it('a person with an account joins with its password only, and then belongs to both teams', async () => {
    const { code } = (await tenant.owner.members.invite({ body: { email: other.email, role: 'write' } })).data;
    const join = (password: string) => cloud.as(null).auth.join({ body: { code, password } });
    expect(await codeOf(join('a guess of somebody else'))).toBe('401 unauthorized');
    expect((await join(other.password)).data.tenant.name).toBe('acme');
    const { data } = await other.owner.auth.me();
    expect(data.tenants.map(({ name }) => name).sort()).toEqual(['acme', 'other']);

    const entered = await other.owner.auth.enter({ body: { tenant_id: tenant.tenant_id } });
    expect(entered.data.tenant.name).toBe('acme');
    expect((await cloud.as(entered.data.token).auth.me()).data.role).toBe('write');
    expect(await codeOf(other.owner.auth.me())).toBe('401 unauthorized');
    other = {
      ...other,
      owner: cloud.as((await cloud.as(null).auth.login({ body: { ...other, tenant_id: other.tenant_id } })).data.token, other.app_id),
    };
    expect(await codeOf(tenant.owner.auth.enter({ body: { tenant_id: other.tenant_id } }))).toBe('403 forbidden');
    await tenant.owner.members.remove({ params: { userId: other.user_id } });
  });

  it('an account that another team created for an address gives no access to this one without the code', async () => {
    const email = 'victim@acme.test';
    const theirs = (await other.owner.members.invite({ body: { email, role: 'read' } })).data;
    await cloud.as(null).auth.join({ body: { code: theirs.code, password: 'known to the other team' } });
    await tenant.owner.members.invite({ body: { email, role: 'admin' } });
    const { data } = await cloud.as(null).auth.login({ body: { email, password: 'known to the other team' } });
    expect((await cloud.as(data.token).auth.me()).data.tenants.map(({ name }) => name)).toEqual(['other']);
  });

  it('an invitation ends when it is withdrawn, renewed or accepted', async () => {
    const email = 'late@acme.test';
    const invite = async () => (await tenant.owner.members.invite({ body: { email, role: 'read' } })).data;
    const join = (code: string) => codeOf(cloud.as(null).auth.join({ body: { code, password: 'long enough to be one' } }));
    const first = await invite();
    const second = await invite();
    expect(await join(first.code)).toBe('404 invitation_not_found');
    const params = { invitationId: second.id };
    expect(await codeOf(other.owner.members.withdraw({ params }))).toBe('404 invitation_not_found');
    await tenant.owner.members.withdraw({ params });
    expect(await codeOf(tenant.owner.members.withdraw({ params }))).toBe('404 invitation_not_found');
    expect(await join(second.code)).toBe('404 invitation_not_found');

    const third = await invite();
    expect((await Promise.all([join(third.code), join(third.code)])).sort()).toEqual(['404 invitation_not_found', 'none']);
  });

  it('of another tenant are not found, like unknown ones', async () => {
    const nobody = '00000000-0000-4000-8000-000000000000';
    for (const userId of [other.user_id, nobody]) {
      expect(await codeOf(tenant.owner.members.change({ params: { userId }, body: { role: 'read' } }))).toBe('404 member_not_found');
      expect(await codeOf(tenant.owner.members.remove({ params: { userId } }))).toBe('404 member_not_found');
    }
  });

  it('only owners manage owners, and the last one stays', async () => {
    const owner = { params: { userId: tenant.user_id } };
    expect(await codeOf(admin.client.members.remove(owner))).toBe('403 forbidden');
    expect(await codeOf(admin.client.members.change({ ...owner, body: { role: 'read' } }))).toBe('403 forbidden');
    expect(await codeOf(admin.client.members.invite({ body: { email: 'x@acme.test', role: 'owner' } }))).toBe('403 forbidden');
    expect(await codeOf(admin.client.members.change({ params: { userId: admin.user_id }, body: { role: 'owner' } }))).toBe('403 forbidden');
    expect(await codeOf(tenant.owner.members.remove(owner))).toBe('409 last_owner');
    expect(await codeOf(tenant.owner.members.change({ ...owner, body: { role: 'admin' } }))).toBe('409 last_owner');
  });

  it('of two owners who remove each other at once, one stays', async () => {
    const second = await addMember(cloud, other, 'second@other.test', 'owner');
    const results = await Promise.allSettled([
      other.owner.members.remove({ params: { userId: second.user_id } }),
      second.client.members.remove({ params: { userId: other.user_id } }),
    ]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('an address must be valid; keys cannot manage members', async () => {
    expect(await codeOf(tenant.owner.members.invite({ body: { email: 'nobody', role: 'read' } }))).toBe('400 invalid_request_body');
    expect(await codeOf(tenant.client.members.list())).toBe('403 forbidden');
    expect(await codeOf(cloud.as(null).members.list())).toBe('401 unauthorized');
  });
});

it('changing a password needs the old one and ends the other logins', async () => {
  const email = 'pia@acme.test';
  const { client, token } = await addMember(cloud, tenant, email, 'write');
  const current = `the password of ${email}`;
  const otherLogin = cloud.as((await cloud.as(null).auth.login({ body: { email, password: current } })).data.token);
  const next = 'a new one of pia';
  expect(await codeOf(client.auth.changePassword({ body: { current: 'wrong', next } }))).toBe('400 invalid_request_body');
  expect(await codeOf(client.auth.changePassword({ body: { current, next: 'short' } }))).toBe('400 invalid_request_body');
  await client.auth.changePassword({ body: { current, next } });
  expect((await cloud.as(token).auth.me()).data.user.email).toBe(email);
  expect(await codeOf(otherLogin.auth.me())).toBe('401 unauthorized');
  expect(await codeOf(cloud.as(null).auth.login({ body: { email, password: current } }))).toBe('401 unauthorized');
  await cloud.as(null).auth.login({ body: { email, password: next } });
});

const linkIn = (text: string, page: string) => {
  const [link = ''] = text.match(new RegExp(`https://g\\.test/#/${page}\\?\\S+`)) ?? [];
  return Object.fromEntries(new URLSearchParams(link.split('?')[1]));
};

describe('an invitation by e-mail', () => {
  it('says who invites to which team, with the link; a name adds nothing to its headers or its HTML', async () => {
    const { data } = await tenant.owner.members.invite({ body: { email: 'lee@acme.test', role: 'write' } });
    const sent = mail.received.at(-1);
    expect(sent?.to).toEqual(['lee@acme.test']);
    expect(sent?.text).toContain('owner@acme.test, invites you to the team "acme" on Glasshouse');
    expect(sent?.text).toContain(data.expires_at.slice(0, 10));
    expect(linkIn(sent?.text ?? '', 'join')).toEqual({ code: data.code, email: 'lee@acme.test' });
    const hostile = await cloud.addTenant('<img src=x>\r\nBcc: eve@evil.test');
    await hostile.owner.members.invite({ body: { email: 'kim@acme.test', role: 'read' } });
    const { headers, html, to } = mail.received.at(-1) ?? { headers: [], html: '', to: [] };
    expect([to, headers.filter((line) => /^bcc/i.test(line)), html.includes('<img')]).toEqual([['kim@acme.test'], [], false]);
    expect(html).toContain('to the team &quot;&lt;img src=x&gt; Bcc: eve@evil.test&quot; on Glasshouse');
    expect(headers.filter((line) => /^subject/i.test(line))).toEqual([expect.stringContaining('Bcc=3A_eve=40evil=2Etest')]);
  });

  it('is sent to one address five times an hour, whoever invites; the invitation is created all the same', async () => {
    const email = 'often@acme.test';
    const third = await cloud.addTenant('third');
    const invite = async (by: TestTenant) => (await by.owner.members.invite({ body: { email, role: 'read' } })).data;
    for (const by of [tenant, third, tenant, third, tenant]) expect(await invite(by)).toMatchObject({ email_sent: true });
    const { code, ...sixth } = await invite(third);
    expect(sixth).toMatchObject({ email_sent: false, email_problem: 'Too many invitations were sent within an hour' });
    expect(mail.received.filter(({ to }) => to[0] === email)).toHaveLength(5);
    expect((await cloud.as(null).auth.join({ body: { code, password: 'a password of often' } })).data.tenant.name).toBe('third');
  });

  it('that cannot be sent is valid, and the answer says why', async () => {
    mail.refusal = 550;
    const { data } = await tenant.owner.members.invite({ body: { email: 'noa@acme.test', role: 'read' } });
    mail.refusal = null;
    expect(data).toMatchObject({ email_sent: false, email_problem: 'The mail server refused the address' });
    await cloud.as(null).auth.join({ body: { code: data.code, password: 'a password of noa' } });
  });
});

describe('a forgotten password', () => {
  const next = 'remembered from now on';
  const request = (email: string) => cloud.as(null).passwordResets.request({ body: { email } });
  const use = (code: string, password = next) => cloud.as(null).passwordResets.use({ body: { code, password } });
  const linkTo = async (email: string) => {
    const arriving = mail.next();
    await request(email);
    return linkIn((await arriving).text, 'reset-password');
  };

  it('is replaced once, by the link in an e-mail, and all logins of the user end', async () => {
    const email = 'ria@acme.test';
    const { client, user_id, password } = await addMember(cloud, tenant, email, 'read');
    const { code = '', ...link } = await linkTo('RIA@acme.test');
    expect(link).toEqual({ email });
    expect(await codeOf(use(code, 'short'))).toBe('400 invalid_request_body');
    expect(await codeOf(use('made up'))).toBe('404 password_reset_not_found');
    await client.auth.me();
    // Somebody else is signed in where the link is opened.
    const neighbour = await addMember(cloud, tenant, 'neighbour@acme.test', 'read');
    await cloud.as(neighbour.token).passwordResets.use({ body: { code, password: next } });
    expect(await codeOf(neighbour.client.auth.me())).toBe('401 unauthorized');
    expect(await codeOf(client.auth.me())).toBe('401 unauthorized');
    expect(await codeOf(use(code))).toBe('404 password_reset_not_found');
    expect(await codeOf(cloud.as(null).auth.login({ body: { email, password } }))).toBe('401 unauthorized');
    await cloud.as(null).auth.login({ body: { email, password: next } });
    const { data } = await tenant.owner.auditLog.list({ query: { action: 'user' } });
    const entries = data.filter(({ target }) => target === user_id).map(({ action, actor_id }) => [action, actor_id]);
    expect(entries).toEqual([
      ['user.reset_password', user_id],
      ['user.request_reset', 'password-reset'],
    ]);
  });

  it('expires after an hour, and three links at a time are sent', async () => {
    const email = 'sol@acme.test';
    await addMember(cloud, tenant, email, 'read');
    const { code = '' } = await linkTo(email);
    await linkTo(email);
    await linkTo(email);
    await request(email);
    // Answered alike, and nothing is sent: to an unknown address, and to an account that only an identity provider signs in.
    await request('nobody@acme.test');
    const control = openSqliteControl(cloud.dataDir, systemClock);
    await control.users.ensure({ kind: 'system', id: 'test', ip: null }, { email: 'sso@acme.test', name: null, password_hash: null });
    await control.stop();
    await request('sso@acme.test');
    // A gateway that stops sends what was asked for first.
    await cloud.restart();
    expect(mail.received.filter(({ to }) => to[0] === email)).toHaveLength(3);
    expect(mail.received.filter(({ to }) => to[0] === 'nobody@acme.test' || to[0] === 'sso@acme.test')).toEqual([]);
    laterMs += 60 * 60 * 1000 + 1;
    expect(await codeOf(use(code))).toBe('404 password_reset_not_found');
    expect((await cloud.as(null).platform.capabilities()).endpoints['password_resets']).toBe(true);
  });

  it('is not replaced where no e-mail is sent, and capabilities say so', async () => {
    await cloud.restart({ options: { mail: null } });
    expect(await codeOf(request('owner@acme.test'))).toBe('503 mail_not_configured');
    expect((await cloud.as(null).platform.capabilities()).endpoints['password_resets']).toBe(false);
    const { data } = await tenant.owner.members.invite({ body: { email: 'ida@acme.test', role: 'read' } });
    expect(data).not.toHaveProperty('email_sent');
    await cloud.restart();
  });
});

it('a plan limits the number of members, and the usage reports it', async () => {
  const small = await startTestCloud({
    planTable: { ...standardPlans, enterprise: { ...standardPlans.enterprise, members: 1, monthly_spans: 10 } },
  });
  try {
    const { owner } = small.tenant;
    expect(await codeOf(owner.members.invite({ body: { email: 'a@acme.test', role: 'read' } }))).toBe('402 entitlement_required');
    const { data } = await owner.usage.get();
    expect(data).toMatchObject({
      plan: 'enterprise',
      month: new Date().toISOString().slice(0, 7),
      spans: { used: 0, limit: 10 },
      bytes: { used: 0, limit: null },
      members: { used: 1, limit: 1 },
      apps: { used: 1, limit: null },
      environments: { used: 1, limit: null },
      api_keys: { used: 1, limit: null },
      alerts_enabled: true,
    });
    const span = {
      traceId: '1'.repeat(32),
      spanId: '2'.repeat(16),
      name: 'one',
      startTimeUnixNano: '1700000000000000000',
      endTimeUnixNano: '1700000001000000000',
    };
    await small.ingest(small.tenant, { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] });
    const after = (await owner.usage.get()).data;
    expect(after.spans.used).toBe(1);
    expect(after.bytes.used).toBeGreaterThan(0);
    expect(await codeOf(small.tenant.client.usage.get())).toBe('403 forbidden');
  } finally {
    await small.stop();
  }
});

it('people can create keys for kinds of environments; keys cannot', async () => {
  const body = { name: 'previews', permissions: ['trace.write' as const], environment_kinds: ['preview' as const] };
  expect((await tenant.owner.apiKeys.create({ body })).data).toMatchObject({ environment_id: null, environment_kinds: ['preview'] });
  expect(await codeOf(tenant.client.apiKeys.create({ body: { ...body, name: 'by a key' } }))).toBe('400 invalid_request_body');
  const both = { ...body, name: 'both', environment_name: 'production' };
  expect(await codeOf(tenant.owner.apiKeys.create({ body: both }))).toBe('400 invalid_request_body');
});

describe('a key that a key creates is for one environment', () => {
  const permissions = ['api_key.insert' as const];
  /** A function that creates keys with a key for those kinds of environments. */
  async function keyCreatorFor(...environment_kinds: ('development' | 'preview' | 'production')[]) {
    const { data } = await tenant.owner.apiKeys.create({ body: { name: crypto.randomUUID(), permissions, environment_kinds } });
    const { apiKeys } = cloud.as(data.plaintext_key, tenant.app_id);
    return (where: { environment_name?: string } = {}) => apiKeys.create({ body: { name: crypto.randomUUID(), ...where } });
  }
  const live = 'live';
  beforeAll(() => tenant.owner.environments.create({ body: { name: live } }));

  it('of a kind that its creator is for: the named one, else the default one if its kind allows', async () => {
    const [forDevelopment, forProduction] = [await keyCreatorFor('development'), await keyCreatorFor('production', 'preview')];
    expect((await forDevelopment()).data).toMatchObject({ environment_id: tenant.environment_id });
    const { data } = await forProduction({ environment_name: live });
    expect(data.environment_id).toEqual(expect.any(String));
    expect(data).not.toHaveProperty('environment_kinds');

    expect(await codeOf(forDevelopment({ environment_name: live }))).toBe('403 forbidden');
    expect(await codeOf(forProduction({ environment_name: 'dev' }))).toBe('403 forbidden');
    await expect(forProduction()).rejects.toMatchObject({
      ...{ code: 'invalid_request_body', details: { environment_name: expect.stringContaining('is required') } },
    });
    expect(await codeOf(forProduction({ environment_name: 'nowhere' }))).toBe('400 invalid_request_body');
  });

  it('the default one, when neither its creator nor the request names one', async () => {
    const control = openSqliteControl(cloud.dataDir, systemClock);
    const { value, digest, key_prefix } = newKeyValue();
    const unbound = { environment_id: null, environment_kinds: null, run_id: null, expires_at: null };
    const { tenant_id, app_id } = tenant;
    const draft = { name: 'free', permissions, digest, key_prefix, ...unbound };
    await control.keys.create({ kind: 'system', id: 'test', ip: null }, { tenant_id, app_id }, draft, null);
    await control.stop();
    const { apiKeys } = cloud.as(value, tenant.app_id);
    expect((await apiKeys.create({ body: { name: 'by it' } })).data.environment_id).toBe(tenant.environment_id);
    const { data } = await apiKeys.create({ body: { name: 'by it, there', environment_name: live } });
    expect(data.environment_id).not.toBe(tenant.environment_id);
  });
});

it('an invitation is valid for a week', async () => {
  const { code } = (await tenant.owner.members.invite({ body: { email: 'later@acme.test', role: 'read' } })).data;
  laterMs += 7 * 24 * 60 * 60 * 1000 + 1;
  expect(await codeOf(cloud.as(null).auth.join({ body: { code, password: 'long enough to be one' } }))).toBe('404 invitation_not_found');
});
