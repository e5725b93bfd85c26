/** The audit log: one entry for each action that people and keys did, or were refused, in the transaction of the action; entries are permanent. */
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addMember } from '../fixtures/add-member.ts';
import { codeOf } from '../fixtures/code-of.ts';
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

it('is append-only, and contains no secret', async () => {
  const { email, password, token, api_key } = cloud.tenant;
  const db = new Database(controlFile(cloud.dataDir));
  for (const change of ["UPDATE audit SET actor_id = 'somebody'", 'DELETE FROM audit', 'DELETE FROM audit WHERE id = 1'])
    expect(() => db.exec(change)).toThrow('only added to');
  const all = JSON.stringify(db.prepare('SELECT * FROM audit').all());
  db.close();
  for (const secret of [email, password, token, api_key]) expect(all).not.toContain(secret);
});
