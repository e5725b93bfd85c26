/** Connecting apps to git hosts and linking them to branches, against hosts that speak the real wire format. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { GatewayError } from '../../../shared/client.ts';
import { type ConnectedCloud, type Provider, startConnectedCloud } from '../../fixtures/git-hosts/connected-cloud.ts';
import { installation } from '../../fixtures/git-hosts/fake-github.ts';
import { gitLabHooks } from '../../fixtures/git-hosts/fake-gitlab.ts';
import { FakeRepository } from '../../fixtures/git-hosts/fake-repository.ts';
import { testClock } from '../../fixtures/test-clock.ts';
import { startTestCloud, type TestTenant } from '../../fixtures/test-cloud.ts';

let now = Date.parse('2026-03-01T10:00:00.000Z');
let fixture: ConnectedCloud;
let tenant: TestTenant;
let other: TestTenant;
const params = () => ({ params: { appId: tenant.app_id } });
const providers = ['github', 'gitlab'] as const satisfies Provider[];

beforeAll(async () => {
  fixture = await startConnectedCloud({ clock: testClock(() => now) });
  tenant = fixture.cloud.tenant;
  other = await fixture.cloud.addTenant('other');
  for (const host of Object.values(fixture.hosts))
    for (let id = 1; id <= 5; id++) host.repositories.push(new FakeRepository(id, `team/owls-${id}`, { 'service.json': '{}' }));
});
afterAll(() => fixture.stop());
beforeEach(() => {
  for (const host of Object.values(fixture.hosts)) Object.assign(host, { outage: null, tokenSeconds: 7200 });
});

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'none',
    (error) => (error instanceof GatewayError ? `${error.status} ${error.code} ${Object.keys(error.details)}`.trim() : String(error)),
  );

const anotherApp = async (name: string) => (await tenant.owner.apps.create({ body: { name } })).data.id;

it('an app that was never connected says so, and has nothing to list or link', async () => {
  const nothing = { connected: false, provider: null, repository: null, branch: null, installation_id: null, providers };
  expect((await tenant.owner.appGit.get(params())).data).toEqual(nothing);
  expect(await codeOf(tenant.owner.appGit.repositories(params()))).toBe('409 git_connection_missing');
  expect(await codeOf(tenant.owner.appGit.branches({ ...params(), query: { repository: 'a/b' } }))).toBe('409 git_connection_missing');
  expect(await codeOf(tenant.owner.appGit.link({ ...params(), body: { repository: 'a/b', branch: 'c' } }))).toBe(
    '409 git_connection_missing',
  );
  expect(await codeOf(tenant.owner.appGit.unlink(params()))).toBe('none');
});

it('an app of another tenant is not found, like an unknown one', async () => {
  const calls = (appId: string) => {
    const [git, at] = [tenant.owner.appGit, { params: { appId } }];
    const link = { repository: 'a/b', branch: 'c' };
    return [
      ...[git.get(at), git.connect({ ...at, body: { provider: 'github' } }), git.repositories(at)],
      ...[git.branches({ ...at, query: { repository: 'a/b' } }), git.link({ ...at, body: link }), git.unlink(at)],
    ];
  };
  for (const appId of [other.app_id, crypto.randomUUID()])
    expect(new Set(await Promise.all(calls(appId).map(codeOf)))).toEqual(new Set(['404 app_not_found']));
});

it('a gateway that is configured for no git host says so', async () => {
  const unconfigured = await startTestCloud();
  try {
    const app = { params: { appId: unconfigured.tenant.app_id } };
    expect((await unconfigured.tenant.owner.appGit.get(app)).data.providers).toEqual([]);
    const request = { ...app, body: { provider: 'github' as const } };
    expect(await codeOf(unconfigured.tenant.owner.appGit.connect(request))).toBe('503 git_connect_not_configured');
    const event = await unconfigured.fetch('/v1/git/webhooks/github', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{}',
    });
    expect(event.status).toBe(503);
  } finally {
    await unconfigured.stop();
  }
});

describe.each(providers)('with %s', (provider) => {
  it('connects, lists every page, links and unlinks', async () => {
    const { begin, back, hosts } = fixture;
    const { state, cookie, authorization_url } = await begin(tenant, provider);
    const authorization = new URL(authorization_url);
    expect([authorization.origin, authorization.searchParams.get('state')]).toEqual([hosts[provider].url, state]);
    const answer = await back({ state, code: hosts[provider].code() }, cookie);
    expect([answer.status, answer.headers.get('location')]).toEqual([302, `/#/settings/git?app=${tenant.app_id}&git=connected`]);

    const { appGit } = tenant.owner;
    const connection = {
      connected: true,
      provider,
      repository: null,
      branch: null,
      installation_id: provider === 'github' ? installation : null,
      providers,
    };
    expect((await appGit.get(params())).data).toEqual(connection);
    const { data } = await appGit.repositories(params());
    expect(data).toHaveLength(5);
    expect(data[4]).toEqual({ full_name: 'team/owls-5', name: 'owls-5', default_branch: 'main' });

    for (const branch of ['feature/one', 'two', 'three']) hosts[provider].repositories[0]?.commit({}, branch, branch);
    const branches = await appGit.branches({ ...params(), query: { repository: 'team/owls-1' } });
    expect(branches.data).toEqual(['main', 'feature/one', 'two', 'three']);

    const body = { repository: 'team/owls-1', branch: 'feature/one' };
    const linked = await appGit.link({ ...params(), body });
    const commit_sha = hosts[provider].repositories[0]?.branches.get('feature/one')?.sha;
    expect(linked.data).toMatchObject({ ...body, commit_sha });
    expect((await appGit.link({ ...params(), body })).data).toEqual(linked.data);
    expect((await appGit.get(params())).data).toMatchObject(body);
    if (provider === 'gitlab') expect(gitLabHooks(hosts.gitlab)).toHaveLength(1);

    await appGit.unlink(params());
    expect((await appGit.get(params())).data).toEqual(connection);
  });

  it('links one app of a tenant to a branch, and no second', async () => {
    const second = await anotherApp(`second-${provider}`);
    await fixture.connect(tenant, provider);
    await fixture.connect(tenant, provider, second);
    await fixture.connect(other, provider);
    const body = { repository: 'team/owls-2', branch: 'main' };
    await tenant.owner.appGit.link({ ...params(), body });
    const secondLink = { params: { appId: second }, body };
    expect(await codeOf(tenant.owner.appGit.link(secondLink))).toBe('409 repo_branch_already_linked');
    expect(await codeOf(other.owner.appGit.link({ params: { appId: other.app_id }, body }))).toBe('none');
    await tenant.owner.appGit.unlink(params());
    expect(await codeOf(tenant.owner.appGit.link(secondLink))).toBe('none');
  });

  it('refuses what the connection does not reach, or the repository does not have', async () => {
    await fixture.connect(tenant, provider);
    const link = (repository: string, branch: string) => codeOf(tenant.owner.appGit.link({ ...params(), body: { repository, branch } }));
    expect(await link('team/owls-9', 'main')).toBe('400 invalid_request_body repository');
    expect(await link('team/owls-1', 'nope')).toBe('400 invalid_request_body branch');
    const query = { repository: 'someone/else' };
    expect(await codeOf(tenant.owner.appGit.branches({ ...params(), query }))).toBe('400 invalid_query_params repository');
  });

  it('renews expired tokens, once for all requests, and says when they cannot be renewed', async () => {
    const { hosts } = fixture;
    await fixture.connect(tenant, provider);
    now += 7200_000;
    hosts[provider].accessTokens.clear();
    hosts[provider].asked.length = 0;
    const all = await Promise.all([1, 2, 3].map(() => tenant.owner.appGit.repositories(params())));
    expect(all.map(({ data }) => data.length)).toEqual([5, 5, 5]);
    expect(hosts[provider].asked.filter((line) => line.startsWith('POST'))).toHaveLength(1);
    now += 7200_000;
    hosts[provider].refreshTokens.clear();
    expect(await codeOf(tenant.owner.appGit.repositories(params()))).toBe('409 git_connection_missing');
  });

  it.each([
    ['is down', { status: 502, body: {} }],
    ['rate limits us', { status: 403, body: {}, headers: { 'Retry-After': '60' } }],
    ['answers something else', { status: 200, body: { hello: 'you' } }],
    ['redirects to another host', { status: 302, body: {}, headers: { Location: 'http://169.254.169.254/latest' } }],
    ['redirects in a circle', { status: 302, body: {}, headers: { Location: '/api/v4/user/installations' } }],
  ])('a host that %s is answered as a temporary outage', async (_, outage) => {
    await fixture.connect(tenant, provider);
    fixture.hosts[provider].outage = outage;
    expect(await codeOf(tenant.owner.appGit.repositories(params()))).toBe('503 service_unavailable');
  });

  it('a code that the host refuses connects nothing', async () => {
    const fresh = await anotherApp(`refused-${provider}`);
    const { state, cookie } = await fixture.begin(tenant, provider, fresh);
    const answer = await fixture.back({ state, code: 'made up' }, cookie);
    expect(answer.headers.get('location')).toBe(`/#/settings/git?app=${fresh}&git=refused`);
    expect((await tenant.owner.appGit.get({ params: { appId: fresh } })).data.connected).toBe(false);
  });
});

describe('a state', () => {
  const isRefused = async (query: Record<string, string>, cookie?: string) => {
    const answer = await fixture.back(query, cookie);
    const { error } = (await answer.json()) as { error: { code: string; details: Record<string, string> } };
    expect([answer.status, error.code, Object.keys(error.details)]).toEqual([400, 'invalid_query_params', ['state']]);
  };
  const code = () => fixture.hosts.github.code();

  it('can be used once', async () => {
    const { state, cookie } = await fixture.begin(tenant, 'github');
    expect((await fixture.back({ state, code: code() }, cookie)).status).toBe(302);
    await isRefused({ state, code: code() }, cookie);
  });

  it('is used up by a refusal, too', async () => {
    const { state, cookie } = await fixture.begin(tenant, 'github');
    const answer = await fixture.back({ state, error: 'access_denied' }, cookie);
    expect(answer.headers.get('location')).toContain('git=refused');
    await isRefused({ state, code: code() }, cookie);
  });

  it('must be present and unchanged', async () => {
    const { state, cookie } = await fixture.begin(tenant, 'github');
    await isRefused({ code: code() }, cookie);
    const [body = '', signature = ''] = state.split('.');
    const foreign = { ...JSON.parse(Buffer.from(body, 'base64url').toString()), app_id: other.app_id, tenant_id: other.tenant_id };
    const forged = Buffer.from(JSON.stringify(foreign)).toString('base64url');
    for (const wrong of [
      'x',
      body,
      `${body}.`,
      `.${signature}`,
      `${body}.${signature}.`,
      `${forged}.${signature}`,
      `${body}.${signature.slice(1)}`,
      // The same number of characters, but more bytes.
      `${body}.${'é'.repeat(signature.length)}`,
    ])
      await isRefused({ state: wrong, code: code() }, cookie);
    expect((await fixture.back({ state, code: code() }, cookie)).status).toBe(302);
  });

  it('is invalid in another browser, and still valid in its own', async () => {
    const mine = await fixture.begin(tenant, 'github');
    const theirs = await fixture.begin(other, 'github');
    await isRefused({ state: mine.state, code: code() });
    await isRefused({ state: mine.state, code: code() }, theirs.cookie);
    expect((await fixture.back({ state: mine.state, code: code() }, mine.cookie)).status).toBe(302);
  });

  it('expires after ten minutes', async () => {
    const { state, cookie } = await fixture.begin(tenant, 'github');
    now += 10 * 60_000;
    await isRefused({ state, code: code() }, cookie);
  });

  it('is invalid once the app is deleted', async () => {
    const deleted = await anotherApp('gone');
    const { state, cookie } = await fixture.begin(tenant, 'github', deleted);
    await tenant.owner.apps.remove({ params: { appId: deleted } });
    await isRefused({ state, code: code() }, cookie);
  });

  it('redirects to our dashboard, whatever the URL asks for', async () => {
    const { state, cookie } = await fixture.begin(tenant, 'github');
    const answer = await fixture.back({ state, code: code(), return_to: 'https://evil.test', redirect_uri: '//evil.test' }, cookie);
    expect(answer.headers.get('location')).toMatch(/^\/#\/settings\/git\?app=[0-9a-f-]+&git=connected$/);
  });
});

it('tokens are stored encrypted, and answers contain none', async () => {
  await fixture.connect(tenant, 'github');
  const [token = ''] = [...fixture.hosts.github.accessTokens].slice(-1);
  for (const file of ['control.db', 'control.db-wal']) expect(readFileSync(`${fixture.cloud.dataDir}/${file}`).includes(token)).toBe(false);
  expect(JSON.stringify(await tenant.owner.appGit.get(params()))).not.toContain(token);
});
