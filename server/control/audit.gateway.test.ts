/** The audit log: one entry for each action that people and keys did, or were refused, in the transaction of the action; entries are permanent. */
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addMember } from '../fixtures/add-member.ts';
import { codeOf } from '../fixtures/code-of.ts';
import { publicHost } from '../fixtures/hostile-urls.ts';
import { startTestCloud, type TestCloud } from '../fixtures/test-cloud.ts';
import { systemClock } from '../platform/clock.ts';
import type { AuditEntry } from './audit-log.ts';
import type { ControlStore } from './control-store.ts';
import { controlFile, openSqliteControl } from './sqlite/open.ts';

let cloud: TestCloud;
let control: ControlStore;
const missing = '00000000-0000-4000-8000-000000000000';

beforeAll(async () => {
  cloud = await startTestCloud();
  control = openSqliteControl(cloud.dataDir, systemClock);
});
afterAll(async () => {
  await control.stop();
  await cloud.stop();
});

const total = async () => (await control.audit.list(cloud.tenant.tenant_id, { limit: 1, offset: 0 })).total;

/** The entries that the work added, oldest first. */
async function entriesOf(work: () => Promise<unknown>): Promise<AuditEntry[]> {
  const before = await total();
  await work();
  const count = (await total()) - before;
  return count === 0 ? [] : (await control.audit.list(cloud.tenant.tenant_id, { limit: count, offset: 0 })).data.reverse();
}

const actionsOf = async (work: () => Promise<unknown>) => (await entriesOf(work)).map(({ action }) => action);

it('has one entry per action, with actor and target', async () => {
  const { owner, user_id, tenant_id, app_id, email, password } = cloud.tenant;
  const [entry] = await entriesOf(() => owner.apiKeys.create({ body: { name: 'audited' } }));
  const { data } = await owner.apiKeys.list({});
  const target = data.find(({ name }) => name === 'audited')?.id;
  expect(entry).toMatchObject({ actor_kind: 'user', actor_id: user_id, ip: '127.0.0.1', app_id, action: 'api_key.create', target });
  expect(entry).toMatchObject({ before_hash: null, after_hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(await actionsOf(() => owner.apiKeys.revoke({ params: { apiKeyId: String(target) } }))).toEqual(['api_key.revoke']);

  const added = { id: '' };
  const add = async () => {
    added.id = (await owner.apps.create({ body: { name: 'second' } })).data.id;
  };
  const params = {
    params: {
      get appId() {
        return added.id;
      },
    },
  };
  expect(await actionsOf(add)).toEqual(['app.create']);
  expect(await actionsOf(() => owner.apps.update({ ...params, body: { name: 'renamed' } }))).toEqual(['app.update']);
  expect(await actionsOf(() => owner.apps.remove(params))).toEqual(['app.delete']);

  const { data: queue } = await owner.annotationQueues.create({ body: { name: 'q', score_config_names: ['tone'] } });
  const queueId = { params: { queueId: queue.id } };
  expect(await actionsOf(() => owner.annotationQueues.update({ ...queueId, body: { name: 'r' } }))).toEqual(['annotation_queue.update']);
  expect(await actionsOf(() => owner.annotationQueues.remove(queueId))).toEqual(['annotation_queue.delete']);
  expect(await actionsOf(() => owner.comments.create({ body: { resource_id: 'x', body: 'words' } }))).toEqual(['comment.create']);
  expect(await actionsOf(() => owner.environments.create({ body: { name: 'e' } }))).toEqual(['environment.create', 'environment.settle']);

  expect(await actionsOf(() => cloud.as(null).auth.login({ body: { email, password } }))).toEqual(['session.start']);
  const second = await cloud.as(null).auth.login({ body: { email, password } });
  expect(await actionsOf(() => cloud.as(second.data.token).auth.logout())).toEqual(['session.end']);
  expect((await control.audit.list(tenant_id, { limit: 1000, offset: 0 })).data.every(({ actor_id }) => actor_id !== '')).toBe(true);
});

it('has no entry for reads, invalid requests and unknown records', async () => {
  const { owner, client } = cloud.tenant;
  const work = async () => {
    await client.apiKeys.list({});
    await client.scores.create({ body: { resource_id: 'x', name: 'n', score: 1 } });
    await codeOf(owner.apiKeys.revoke({ params: { apiKeyId: missing } }));
    await codeOf(owner.apps.remove({ params: { appId: missing } }));
    await codeOf(owner.environments.create({ body: { name: '' } }));
    await codeOf(owner.environments.create({ body: { name: 'dev' } }));
    await codeOf(cloud.as(null).apps.create({ body: { name: 'x' } }));
  };
  expect(await actionsOf(work)).toEqual([]);
});

describe('a refused request', () => {
  it('has an entry with the requested operation', async () => {
    const reader = await addMember(cloud, cloud.tenant, 'reader@acme.test', 'read');
    const [entry, ...more] = await entriesOf(() => codeOf(reader.client.apiKeys.create({ body: { name: 'mine' } })));
    expect(entry).toMatchObject({ actor_kind: 'user', actor_id: reader.user_id, action: 'refused', target: 'create-api-key' });
    expect(more).toEqual([]);
    const { client, app_id } = cloud.tenant;
    const refused = [
      () => client.apps.create({ body: { name: 'x' } }),
      () => client.apps.remove({ params: { appId: app_id } }),
      () => client.apiKeys.create({ body: { name: 'x', app_id: missing } }),
    ];
    for (const work of refused) expect(await actionsOf(() => codeOf(work()))).toEqual(['refused']);
  });

  it('has no entry for a read, or for telemetry with a key without the permission', async () => {
    const { owner, app_id } = cloud.tenant;
    const { data } = await owner.apiKeys.create({ body: { name: 'powerless', permissions: ['dataset.read'] } });
    const powerless = { api_key: data.plaintext_key, app_id };
    const client = cloud.as(powerless.api_key, app_id);
    const denied = async () => {
      expect(await codeOf(client.traces.list({}))).toBe('403 forbidden');
      expect(await codeOf(client.scores.create({ body: { resource_id: 'x', name: 'n', score: 1 } }))).toBe('403 forbidden');
      expect((await cloud.ingest(powerless, { resourceSpans: [] })).status).toBe(403);
    };
    expect(await actionsOf(denied)).toEqual([]);
  });
});

describe('reading it', () => {
  const csvOf = (query: string) =>
    cloud.fetch(`/v1/audit-log?format=csv${query}`, { headers: { authorization: `Bearer ${cloud.tenant.token}` } });

  it('is for owners and admins of the tenant, and for no key', async () => {
    const { owner, client, app_id } = cloud.tenant;
    for (const role of ['write', 'read'] as const) {
      const member = await addMember(cloud, cloud.tenant, `${role}-audit@acme.test`, role);
      expect(await codeOf(member.client.auditLog.list())).toBe('403 forbidden');
    }
    const admin = await addMember(cloud, cloud.tenant, 'admin-audit@acme.test', 'admin');
    expect((await admin.client.auditLog.list({ query: { app_id, limit: 1 } })).data).toHaveLength(1);
    expect(await codeOf(client.auditLog.list())).toBe('403 forbidden');
    expect(await codeOf(cloud.as(null).auditLog.list())).toBe('401 unauthorized');
    const asked = owner.apiKeys.create({ body: { name: 'reader', permissions: ['audit_log.read' as never] } });
    expect(await codeOf(asked)).toBe('400 invalid_request_body');

    const other = await cloud.addTenant('other-audit');
    const { data } = await other.owner.auditLog.list({ query: { limit: 10_000 } });
    expect(new Set(data.filter(({ actor_kind }) => actor_kind !== 'system').map(({ actor_id }) => actor_id))).toEqual(
      new Set([other.user_id]),
    );
    expect((await other.owner.auditLog.list({ query: { actor: cloud.tenant.user_id } })).pagination.total).toBe(0);
  });

  it('has names and what changed, by actor, action and target, also as CSV', async () => {
    const { owner, user_id, email } = cloud.tenant;
    const { id } = (await owner.apps.create({ body: { name: '=1+1' } })).data;
    await owner.apps.update({ params: { appId: id }, body: { name: '=1+2', display_name: 'two, "three"' } });
    const { data, pagination } = await owner.auditLog.list({ query: { target: id, action: 'app', actor: user_id } });
    expect(pagination).toEqual({ limit: 50, offset: 0, total: 2 });
    expect(data[0]).toMatchObject({ action: 'app.update', actor_name: email, target_name: '=1+2', ip: '127.0.0.1' });
    expect(data[0]?.changes).toEqual([
      { field: 'name', before: '=1+1', after: '=1+2' },
      { field: 'display_name', before: null, after: 'two, "three"' },
    ]);
    // The number of an entry would tell how much the other tenants do.
    for (const internal of ['id', 'before_hash', 'tenant_id']) expect(data[0]).not.toHaveProperty(internal);

    const file = await csvOf(`&target=${id}&action=app.update`);
    expect([file.headers.get('content-type'), file.headers.get('content-disposition')]).toEqual([
      'text/csv; charset=utf-8',
      'attachment; filename="audit-log.csv"',
    ]);
    const [, line, end] = (await file.text()).split('\r\n');
    expect(line).toContain(`,app.update,${id},'=1+2,${id},"name: =1+1 → =1+2; display_name: none → two, ""three"""`);
    expect(end).toBe('');
  });

  it('has refused sign-ins of known accounts, in the tenant of the account', async () => {
    const { owner, user_id, email, password } = cloud.tenant;
    const logIn = (of: string, given: string) => codeOf(cloud.as(null).auth.login({ body: { email: of, password: given } }));
    expect(await logIn(email, 'a guess of somebody')).toBe('401 unauthorized');
    expect(await logIn('nobody@acme.test', 'a guess of somebody')).toBe('401 unauthorized');
    // The store writes the entry of this one after that of the refusal.
    expect(await logIn(email, password)).toBe('none');
    const { data } = await owner.auditLog.list({ query: { action: 'session', limit: 2 } });
    expect(data).toMatchObject([
      { action: 'session.start', actor_name: email },
      { action: 'session.refuse', actor_kind: 'system', actor_id: 'sign-in', target: user_id, target_name: email, ip: '127.0.0.1' },
    ]);
  });

  it('tells no secret', async () => {
    const { owner, environment_id } = cloud.tenant;
    const { data: key } = await owner.apiKeys.create({ body: { name: 'kept', permissions: ['trace.read', 'span.read'] } });
    const url = `https://${publicHost}/services/a-secret-part`;
    const [first, second] = ['the first webhook secret', 'the second webhook secret'];
    for (const secret of [first, second])
      await owner.alertDestinations.putWebhook({ params: { environmentId: environment_id }, body: { url, secret } });
    const member = await addMember(cloud, cloud.tenant, 'secretive@acme.test', 'read');
    const next = 'the next password of it';
    await member.client.auth.changePassword({ body: { current: member.password, next } });

    const { data } = await owner.auditLog.list({ query: { limit: 10_000 } });
    const changesOf = (action: string) => data.find((entry) => entry.action === action)?.changes;
    expect(data.find(({ action }) => action === 'user.password')).toMatchObject({ target: member.user_id, changes: null });
    expect(changesOf('alert_webhook.put')).toEqual(expect.arrayContaining([{ field: 'sealed_secret' }]));
    expect(changesOf('api_key.create')).toContainEqual({ field: 'permissions', after: 'trace.read, span.read' });
    const changes = JSON.stringify(data.map((entry) => entry.changes));
    for (const secret of [key.plaintext_key, url, first, second, member.password, next, member.token])
      expect(changes).not.toContain(secret);
  });
});

it('is append-only, and contains no secret', async () => {
  const { email, password, token, api_key } = cloud.tenant;
  const db = new Database(controlFile(cloud.dataDir));
  for (const change of ["UPDATE audit SET actor_id = 'somebody'", 'DELETE FROM audit', 'DELETE FROM audit WHERE id = 1'])
    expect(() => db.exec(change)).toThrow('only added to');
  const all = JSON.stringify(db.prepare('SELECT * FROM audit').all());
  db.close();
  for (const secret of [email, password, token, api_key]) expect(all).not.toContain(secret);
});
