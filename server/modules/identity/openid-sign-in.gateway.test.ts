/** Signing in through a real OpenID provider, with a browser that is made of fetch and a jar of cookies. */
import { type CryptoKey, decodeJwt, decodeProtectedHeader, generateKeyPair, type JWTHeaderParameters, SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openSqliteControl } from '../../control/sqlite/open.ts';
import { aDevice } from '../../fixtures/a-device.ts';
import { addMember } from '../../fixtures/add-member.ts';
import { codeOf } from '../../fixtures/code-of.ts';
import { freePort } from '../../fixtures/free-port.ts';
import { type Account, type IdentityProvider, startIdentityProvider } from '../../fixtures/identity-provider.ts';
import { testClock } from '../../fixtures/test-clock.ts';
import { startTestCloud, type TestCloud, type TestTenant } from '../../fixtures/test-cloud.ts';
import { hashPassword } from '../../identity/password.ts';
import { systemClock } from '../../platform/clock.ts';

let provider: IdentityProvider;
let cloud: TestCloud;
let now = Date.now();

beforeAll(async () => {
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  provider = await startIdentityProvider(`${publicUrl}/v1/auth/openid/callback`);
  cloud = await startTestCloud({ port, publicUrl, openId: provider.settings, clock: testClock(() => now) });
});
beforeEach(() => {
  // Attempts to sign in are limited by the minute.
  now += 60_000;
  provider.account = null;
});
afterAll(async () => {
  await cloud.stop();
  await provider.stop();
});

/** Follows redirects as browsers do, and keeps cookies by host and port. */
class Browser {
  readonly #jar = new Map<string, Map<string, string>>();

  /** Where the redirects end: at the first page of the dashboard, or at an answer without a redirect. */
  async go(url: string, stopAt: (url: URL) => boolean = () => false): Promise<{ url: URL; response: Response }> {
    let at = new URL(url);
    for (let step = 0; step < 12; step++) {
      const response = await fetch(at, { redirect: 'manual', headers: { Cookie: this.#cookies(at) } });
      for (const set of response.headers.getSetCookie()) this.#keep(at, set);
      const next = response.headers.get('Location');
      if (next === null) return { url: at, response };
      at = new URL(next, at);
      if (at.hash !== '' || stopAt(at)) return { url: at, response };
    }
    throw new Error('too many redirects');
  }

  cookie(url: string, name: string): string | undefined {
    return this.#jar.get(new URL(url).host)?.get(name);
  }

  #cookies({ host }: URL): string {
    return [...(this.#jar.get(host) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  #keep({ host }: URL, set: string): void {
    const [pair = ''] = set.split(';');
    const name = pair.slice(0, pair.indexOf('='));
    const jar = this.#jar.get(host) ?? new Map<string, string>();
    this.#jar.set(host, jar);
    if (/max-age=0|expires=thu, 01 jan 1970/i.test(set)) jar.delete(name);
    else jar.set(name, pair.slice(name.length + 1));
  }
}

const begin = (returnTo = '#/traces?range=1d') =>
  `${cloud.url.replace('localhost', '127.0.0.1')}/v1/auth/openid?return_to=${encodeURIComponent(returnTo)}`;
const isCallback = ({ pathname }: URL) => pathname === '/v1/auth/openid/callback';
const owner = (parts: Partial<Account> = {}): Account => ({ sub: 'sub-1', email: cloud.tenant.email, email_verified: true, ...parts });

async function signedInEmail(browser: Browser): Promise<string | number> {
  const token = browser.cookie(begin(), 'glasshouse_session') ?? '';
  const response = await cloud.fetch('/v1/auth/me', { headers: { Cookie: `glasshouse_session=${token}`, 'X-Glasshouse-Page': '1' } });
  return response.status === 200 ? ((await response.json()) as { data: { user: { email: string } } }).data.user.email : response.status;
}

describe('a member', () => {
  it('returns signed in to the page they wanted, and the temporary cookie is deleted', async () => {
    provider.account = owner();
    const browser = new Browser();
    const { url, response } = await browser.go(begin());
    expect(url.pathname + url.hash).toBe('/#/traces?range=1d');
    expect(response.headers.get('Referrer-Policy')).toBe('no-referrer');
    expect(response.headers.getSetCookie()).toHaveLength(2);
    expect(browser.cookie(begin(), 'glasshouse_openid')).toBeUndefined();
    expect(await signedInEmail(browser)).toBe(cloud.tenant.email);
  });

  it('is recognised when their address at the provider changes, and nobody else is by taking over the old one', async () => {
    provider.account = owner();
    await new Browser().go(begin());
    provider.account = owner({ email: 'ann@married.test' });
    const again = new Browser();
    await again.go(begin());
    expect(await signedInEmail(again)).toBe(cloud.tenant.email);

    provider.account = owner({ sub: 'sub-of-the-next-ann' });
    const next = new Browser();
    expect((await next.go(begin())).url.hash).toBe('#/sign-in?problem=unknown');
    expect(await signedInEmail(next)).toBe(401);
  });
});

describe('an account that somebody else may have created', () => {
  const email = 'mia@acme.test';
  const signIn = (password: string) => codeOf(cloud.as(null).auth.login({ body: { email, password } }));
  const signInThroughProvider = async (sub: string): Promise<string | number> => {
    provider.account = { sub, email, email_verified: true };
    const browser = new Browser();
    await browser.go(begin());
    return signedInEmail(browser);
  };

  it('belongs to the owner of the address once the provider verifies it: earlier passwords and logins are invalid', async () => {
    const before = await addMember(cloud, cloud.tenant, email, 'write');
    expect(await signInThroughProvider('sub-mia')).toBe(email);
    expect(await codeOf(before.client.auth.me())).toBe('401 unauthorized');
    expect(await signIn(before.password)).toBe('401 unauthorized');

    const control = openSqliteControl(cloud.dataDir, systemClock);
    const actor = { kind: 'system', id: 'test', ip: null } as const;
    const { data } = await control.audit.list(cloud.tenant.tenant_id, { limit: 100, offset: 0 });
    const entry = { actor_kind: 'user', actor_id: before.user_id, target: before.user_id };
    expect(data.filter(({ action, target }) => action.startsWith('user.') && target === before.user_id)).toMatchObject([
      { ...entry, action: 'user.link' },
      { ...entry, action: 'user.password' },
    ]);

    // A password that the operator sets after that is valid.
    await control.users.setPassword(actor, before.user_id, await hashPassword('given by the operator'));
    expect(await signInThroughProvider('sub-mia')).toBe(email);
    await control.users.link(actor, before.user_id, { issuer: 'https://the-next-provider.test', subject: 'mia' });
    await control.stop();
    expect(await signIn('given by the operator')).toBe('none');
  });
});

describe('an invited person', () => {
  let blue: TestTenant;
  let green: TestTenant;
  beforeAll(async () => {
    [blue, green] = [await cloud.addTenant('blue'), await cloud.addTenant('green')];
  });
  const invite = async (by: TestTenant, email: string) => (await by.owner.members.invite({ body: { email, role: 'read' } })).data.code;
  const teamsOf = async (account: Account): Promise<string[] | string> => {
    provider.account = account;
    const browser = new Browser();
    const { url } = await browser.go(begin());
    const token = browser.cookie(begin(), 'glasshouse_session');
    if (token === undefined) return url.hash;
    return (await cloud.as(token).auth.me()).data.tenants.map(({ name }) => name).sort();
  };
  const zoe: Account = { sub: 'sub-zoe', email: 'Zoe@Acme.test', email_verified: true };

  it('joins by signing in, with the role they were invited for; the code is used up, and no password gives access', async () => {
    const join = (code: string) => codeOf(cloud.as(null).auth.join({ body: { code, password: 'taken by who has the code' } }));
    const code = await invite(blue, 'zoe@acme.test');
    expect(await teamsOf({ ...zoe, email_verified: false })).toBe('#/sign-in?problem=unknown');
    expect(await teamsOf(zoe)).toEqual(['blue']);
    expect((await blue.owner.members.list()).data).toMatchObject([{}, { email: 'zoe@acme.test', role: 'read' }]);
    expect(await join(code)).toBe('404 invitation_not_found');

    expect(await join(await invite(green, 'zoe@acme.test'))).toBe('401 unauthorized');
    expect(await teamsOf(zoe)).toEqual(['blue', 'green']);
  });

  it('joins by the address of their account and no other, and within a week', async () => {
    await invite(blue, 'somebody@acme.test');
    expect(await teamsOf({ ...zoe, email: 'somebody@acme.test' })).toEqual(['blue', 'green']);
    expect((await blue.owner.members.invitations()).data).toMatchObject([{ email: 'somebody@acme.test' }]);

    now += 7 * 24 * 60 * 60 * 1000 + 1;
    expect(await teamsOf({ ...zoe, sub: 'sub-late', email: 'somebody@acme.test' })).toBe('#/sign-in?problem=unknown');
  });
});

/** The token with changed claims, signed under the same key id. */
async function resign(token: string, claims: object, key: CryptoKey): Promise<string> {
  return new SignJWT({ ...decodeJwt(token), ...claims }).setProtectedHeader(decodeProtectedHeader(token) as JWTHeaderParameters).sign(key);
}

describe('nobody is signed in', () => {
  const problemFor = async (account: Account | null, browser = new Browser()) => {
    provider.account = account;
    const { url } = await browser.go(begin());
    expect(await signedInEmail(browser)).toBe(401);
    return url.hash;
  };

  it('who was never added', async () => {
    expect(await problemFor({ sub: 'stranger', email: 'stranger@elsewhere.test', email_verified: true })).toBe('#/sign-in?problem=unknown');
  });

  it('whose address the provider does not vouch for', async () => {
    expect(await problemFor(owner({ sub: 'impostor', email_verified: false }))).toBe('#/sign-in?problem=unknown');
  });

  it('who refuses at the provider', async () => {
    expect(await problemFor(null)).toBe('#/sign-in?problem=refused');
  });

  it('with the code of another browser, twice with one code, or after ten minutes', async () => {
    provider.account = owner();
    const [first, victim] = [new Browser(), new Browser()];
    const { url } = await first.go(begin(), isCallback);
    expect((await victim.go(url.href)).url.hash).toBe('#/sign-in?problem=refused');
    expect(await signedInEmail(victim)).toBe(401);

    const { url: callbackUrl } = await first.go(begin(), isCallback);
    const sealed = first.cookie(begin(), 'glasshouse_openid');
    const callback = () => fetch(callbackUrl, { redirect: 'manual', headers: { Cookie: `glasshouse_openid=${sealed}` } });
    expect((await callback()).headers.get('Location')).toBe('/#/traces?range=1d');
    expect((await callback()).headers.get('Location')).toBe('/#/sign-in?problem=refused');

    const late = new Browser();
    const { url: lateUrl } = await late.go(begin(), isCallback);
    now += 10 * 60_000 + 1;
    expect((await late.go(lateUrl.href)).url.hash).toBe('#/sign-in?problem=refused');
  });

  it('again with a used code, even when the provider would give another token for it', async () => {
    provider.account = owner();
    const browser = new Browser();
    const { url } = await browser.go(begin(), isCallback);
    const sealed = browser.cookie(begin(), 'glasshouse_openid');
    const tokenRequests: number[] = [];
    provider.spoilIdToken = (token) => {
      tokenRequests.push(1);
      return token;
    };
    const callback = () => fetch(url, { redirect: 'manual', headers: { Cookie: `glasshouse_openid=${sealed}` } });
    expect((await callback()).headers.get('Location')).toBe('/#/traces?range=1d');
    expect((await callback()).headers.get('Location')).toBe('/#/sign-in?problem=refused');
    // The provider was not even asked.
    expect(tokenRequests).toHaveLength(1);
    provider.spoilIdToken = null;
  });

  it('except with a token that the provider signed anew', async () => {
    provider.spoilIdToken = (token) => resign(token, {}, provider.key);
    provider.account = owner();
    const browser = new Browser();
    await browser.go(begin());
    provider.spoilIdToken = null;
    expect(await signedInEmail(browser)).toBe(cloud.tenant.email);
  });

  it.each([
    ['signed by another key', async (token: string) => resign(token, {}, (await generateKeyPair('RS256')).privateKey)],
    ['of an hour from now', (token: string) => resign(token, { iat: Math.floor(now / 1000) + 3600 }, provider.key)],
    ['that is not a token', () => 'garbage'],
    ['whose parts cannot be read', () => '!!!.%%%.???'],
    ['whose signature is missing', (token: string) => `${token.split('.').slice(0, 2).join('.')}.`],
  ])('by a token %s', async (_, spoil) => {
    provider.spoilIdToken = spoil;
    expect(await problemFor(owner())).toBe('#/sign-in?problem=refused');
    provider.spoilIdToken = null;
  });

  it('with a changed state, code or cookie', async () => {
    provider.account = owner();
    for (const spoil of ['state', 'code', 'iss']) {
      const browser = new Browser();
      const { url } = await browser.go(begin(), isCallback);
      url.searchParams.set(spoil, `${url.searchParams.get(spoil)}x`);
      expect((await browser.go(url.href)).url.hash).toBe('#/sign-in?problem=refused');
    }
  });
});

it('redirects to nowhere but the dashboard', async () => {
  for (const target of ['https://evil.test/', '//evil.test', '/\\evil.test', '#//\r\nSet-Cookie: a=b', 'javascript:alert(1)']) {
    const { response } = await new Browser().go(begin(target));
    expect(response.status).toBe(400);
  }
});

it('answers 503 with Retry-After when the provider cannot be reached', async () => {
  const down = await startTestCloud({ openId: { ...provider.settings, issuer: 'http://127.0.0.1:9' } });
  try {
    const response = await down.fetch('/v1/auth/openid', { redirect: 'manual' });
    expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '5']);
  } finally {
    await down.stop();
  }
});

it('answers openid_not_configured where no provider was set up, and capabilities say so', async () => {
  const without = await startTestCloud();
  try {
    const response = await without.fetch('/v1/auth/openid', { redirect: 'manual' });
    const { error } = (await response.json()) as { error: { code: string } };
    expect([response.status, error.code, response.headers.get('Retry-After')]).toEqual([503, 'openid_not_configured', null]);
    const capabilities = await without.tenant.owner.platform.capabilities();
    expect(capabilities.endpoints).toMatchObject({ openid_sign_in: false });
    expect(capabilities).not.toHaveProperty('sign_in_provider');
    const withProvider = await cloud.tenant.owner.platform.capabilities();
    expect(withProvider.sign_in_provider).toBe(new URL(provider.settings.issuer).host);
  } finally {
    await without.stop();
  }
});

it('logins are listed for their person only, and end at once', async () => {
  const email = 'several@acme.test';
  const { client: anotherOwner } = await addMember(cloud, cloud.tenant, 'owner-one@acme.test', 'owner');
  const { password, client, token } = await addMember(cloud, cloud.tenant, email, 'read');
  const body = JSON.stringify({ email, password });
  now += 1000;
  const headers = {
    'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
    'Content-Type': 'application/json',
    'X-Glasshouse-Page': '1',
  };
  const answer = await cloud.fetch('/v1/auth/login', { method: 'POST', headers, body });
  const second = cloud.as(((await answer.json()) as { data: { token: string } }).data.token, cloud.tenant.app_id);
  const { data: listed } = await second.auth.logins();
  expect(listed.map(({ client: words, is_current, tenant_name }) => [words, is_current, tenant_name])).toEqual([
    ['Firefox on Linux', true, 'acme'],
    ['A Node.js program', false, 'acme'],
  ]);
  expect(listed.every(({ ip }) => ip?.endsWith('127.0.0.1'))).toBe(true);
  expect(JSON.stringify(listed)).not.toContain(token.split('.')[1]);
  const [own, older] = listed.map(({ id }) => ({ params: { loginId: id } }));
  expect(await codeOf(anotherOwner.auth.endLogin(own ?? expect.unreachable()))).toBe('404 login_not_found');
  await second.auth.endLogin(older ?? expect.unreachable());
  expect([await codeOf(client.auth.me()), await codeOf(second.auth.endLogin(older ?? expect.unreachable()))]).toEqual([
    ...['401 unauthorized', '404 login_not_found'],
  ]);
  const third = cloud.as((await cloud.as(null).auth.login({ body: { email, password } })).data.token, cloud.tenant.app_id);
  await third.auth.endOtherLogins();
  expect([await codeOf(second.auth.me()), (await third.auth.logins()).data.length]).toEqual(['401 unauthorized', 1]);
  const { data: ends } = await anotherOwner.auditLog.list({ query: { action: 'session.end' } });
  expect(ends.filter(({ actor_name }) => actor_name === email)).toHaveLength(2);
});

it('logins of a member end by those who manage members; those of an owner by owners only', async () => {
  const other = await cloud.addTenant('another');
  const { client: anotherOwner } = await addMember(cloud, cloud.tenant, 'owner-two@acme.test', 'owner');
  const admin = await addMember(cloud, cloud.tenant, 'admin@acme.test', 'admin');
  const { user_id, client } = await addMember(cloud, cloud.tenant, 'signed-out@acme.test', 'write');
  const of = (userId: string) => ({ params: { userId } });
  for (const refused of [client.members.endLogins(of(user_id)), admin.client.members.endLogins(of(cloud.tenant.user_id))])
    expect(await codeOf(refused)).toBe('403 forbidden');
  expect(await codeOf(other.owner.members.endLogins(of(user_id)))).toBe('404 member_not_found');
  const machine = await aDevice(cloud);
  const [environment] = (await anotherOwner.environments.list()).data;
  await client.deviceSignIn.approve({ body: { user_code: machine.user_code, environment_name: environment?.name ?? '' } });
  await admin.client.members.endLogins(of(user_id));
  expect([await codeOf(client.auth.me()), await codeOf(admin.client.auth.me())]).toEqual(['401 unauthorized', 'none']);
  expect(await machine.ask()).not.toMatchObject({ status: 'linked' });
  const { data: entries } = await anotherOwner.auditLog.list({ query: { action: 'member.sign_out' } });
  expect(entries).toMatchObject([{ target: user_id, target_name: 'signed-out@acme.test', actor_name: 'admin@acme.test' }]);
});
