/** The cloud gateway as a whole: who is admitted, whose data they see, and what is served. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aRequest, aSpan } from '../../shared/fixtures/otlp.ts';
import { codeOf } from '../fixtures/code-of.ts';
import { startTestCloud, type TestCloud, type TestTenant } from '../fixtures/test-cloud.ts';

let cloud: TestCloud;
let other: TestTenant;

beforeAll(async () => {
  cloud = await startTestCloud();
  other = await cloud.addTenant('other');
});
afterAll(() => cloud.stop());

describe('a key', () => {
  it('writes a trace and reads it back', async () => {
    const span = aSpan({ name: 'answer' });
    expect((await cloud.ingest(cloud.tenant, aRequest([span]))).status).toBe(200);
    const { data } = await cloud.tenant.client.traces.list({});
    expect(data.map(({ name }) => name)).toContain('answer');
  });

  it('sees nothing of another tenant', async () => {
    await cloud.ingest(cloud.tenant, aRequest([aSpan({ traceId: 'f'.repeat(32), name: 'mine' })]));
    expect((await other.client.traces.list({})).pagination.total).toBe(0);
    const foreign = await codeOf(other.client.traces.get({ params: { traceId: 'f'.repeat(32) } }));
    expect(foreign).toBe('404 trace_not_found');
  });

  it('must be sent without Bearer with spans, and may be sent either way on other routes', async () => {
    const { api_key, app_id } = cloud.tenant;
    const bearer = { ...cloud.tenant, api_key: `Bearer ${api_key}` };
    expect((await cloud.ingest(bearer, aRequest([]))).status).toBe(401);
    expect((await cloud.as(bearer.api_key, app_id).traces.list({})).pagination.total).toBeGreaterThan(0);
  });

  it('is refused from the moment it is revoked', async () => {
    const { owner, app_id } = cloud.tenant;
    const { data } = await owner.apiKeys.create({ body: { name: 'short-lived', permissions: ['trace.read'] } });
    const client = cloud.as(data.plaintext_key, app_id);
    await client.traces.list({});
    await owner.apiKeys.revoke({ params: { apiKeyId: data.id } });
    expect(await codeOf(client.traces.list({}))).toBe('401 unauthorized');
    expect(await codeOf(owner.apiKeys.revoke({ params: { apiKeyId: data.id } }))).toBe('404 api_key_not_found');
  });

  it('may do what its permissions allow, and can create only keys with permissions that it has', async () => {
    const { owner, app_id } = cloud.tenant;
    const { data } = await owner.apiKeys.create({ body: { name: 'maker', permissions: ['api_key.insert', 'trace.write'] } });
    const maker = cloud.as(data.plaintext_key, app_id);
    expect(await codeOf(maker.traces.list({}))).toBe('403 forbidden');
    expect(await codeOf(maker.apiKeys.create({ body: { name: 'more', permissions: ['trace.read'] } }))).toBe('403 forbidden');
    expect(await codeOf(maker.apiKeys.create({ body: { name: 'less', permissions: ['trace.write'] } }))).toBe('none');
  });

  it.each([
    ['no app', (key: string) => cloud.as(key)],
    ['the app of another tenant', (key: string) => cloud.as(key, other.app_id)],
    ['an invalid app id', (key: string) => cloud.as(key, 'nonsense')],
  ])('with %s in the header is not authorised', async (_, as) => {
    expect(await codeOf(as(cloud.tenant.api_key).traces.list({}))).toBe('401 unauthorized');
  });

  it('cannot create, change or delete apps', async () => {
    const { client, app_id } = cloud.tenant;
    expect(await codeOf(client.apps.create({ body: { name: 'second' } }))).toBe('403 forbidden');
    expect(await codeOf(client.apps.remove({ params: { appId: app_id } }))).toBe('403 forbidden');
    expect((await client.apps.list({})).data.map(({ id }) => id)).toEqual([app_id]);
  });
});

describe('a login', () => {
  it('identifies its user, and ends at once', async () => {
    const { email, password, app_id } = cloud.tenant;
    const { data } = await cloud.as(null).auth.login({ body: { email: email.toUpperCase(), password } });
    const client = cloud.as(`Bearer ${data.token}`, app_id);
    expect((await client.auth.me()).data).toMatchObject({ user: { email }, role: 'owner', tenant: { name: 'acme' } });
    await client.auth.logout();
    expect(await codeOf(client.auth.me())).toBe('401 unauthorized');
  });

  it('is refused in the same way for a wrong password and an unknown user', async () => {
    const wrong = (email: string) => codeOf(cloud.as(null).auth.login({ body: { email, password: 'wrong' } }));
    expect(await wrong(cloud.tenant.email)).toBe('401 unauthorized');
    expect(await wrong('nobody@nowhere.test')).toBe('401 unauthorized');
  });

  it('has access to the apps of its tenant, and does not find those of others', async () => {
    const { owner } = cloud.tenant;
    expect(await codeOf(owner.apps.get({ params: { appId: other.app_id } }))).toBe('404 app_not_found');
    expect(await codeOf(cloud.as(cloud.tenant.token, other.app_id).traces.list({}))).toBe('401 unauthorized');
    const { data } = await owner.apps.create({ body: { name: 'second' } });
    expect((await cloud.as(cloud.tenant.token, data.id).traces.list({})).pagination.total).toBe(0);
    expect(await codeOf(owner.apps.create({ body: { name: 'second' } }))).toBe('409 duplicate_app_name');
  });

  it('counts as a cookie only with the header of the dashboard', async () => {
    const cookie = `glasshouse_session=${cloud.tenant.token}`;
    const ask = (headers: Record<string, string>) =>
      cloud.fetch('/v1/traces', { headers: { Cookie: cookie, 'X-Service-App-Id': cloud.tenant.app_id, ...headers } });
    expect((await ask({})).status).toBe(401);
    expect((await ask({ 'X-Glasshouse-Page': '1' })).status).toBe(200);
  });
});

it('keeps tenants, keys and logins over a restart', async () => {
  await cloud.restart();
  expect((await cloud.tenant.client.traces.list({})).pagination.total).toBeGreaterThan(0);
  expect((await cloud.tenant.owner.auth.me()).data.tenant.name).toBe('acme');
});
