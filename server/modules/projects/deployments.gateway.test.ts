/** Deployments over HTTP, and pushes to the default environment, which have no route of their own. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Actor } from '../../control/actor.ts';
import type { ControlStore } from '../../control/control-store.ts';
import { openSqliteControl } from '../../control/sqlite/open.ts';
import { codeOf } from '../../fixtures/code-of.ts';
import { addEnvironment, defaultOf, ended, push } from '../../fixtures/environments.ts';
import { ScriptedHosting } from '../../fixtures/scripted-hosting.ts';
import { startTestCloud, type TestCloud, type TestTenant } from '../../fixtures/test-cloud.ts';
import { testLeases } from '../../fixtures/test-leases.ts';
import { Deployer } from '../../hosting/deployer.ts';
import { silentLog } from '../../platform/log.ts';

const hosting = new ScriptedHosting();
const system: Actor = { kind: 'system', id: 'git', ip: null };
let control: ControlStore;
let cloud: TestCloud;
let acme: TestTenant;
let other: TestTenant;
let deployer: Deployer;

beforeAll(async () => {
  cloud = await startTestCloud({
    openControl: (folder, clock) => {
      control = openSqliteControl(folder, clock);
      return control;
    },
  });
  acme = cloud.tenant;
  other = await cloud.addTenant('other');
  deployer = new Deployer({ control, hosting, leases: testLeases(control), log: silentLog });
});
afterAll(async () => {
  await deployer.stop();
  await cloud.stop();
});

const scope = () => ({ tenant_id: acme.tenant_id, app_id: acme.app_id });
const get = (deploymentId: string, { client } = acme) => client.deployments.get({ params: { deploymentId } });
describe('a push', () => {
  it('is what the default environment serves from then on', async () => {
    const { id } = await push(deployer, scope(), { 'a.txt': 'A', 'b.txt': 'A', 'c.txt': '' }, 'commit one');
    const deployed = await ended(acme.client, id);
    expect(deployed).toMatchObject({
      deployment_status: 'success',
      deployment_type: 'push',
      files_status: 'synced',
      code_status: 'skipped',
    });
    expect(deployed).toMatchObject({ branch: 'main', commit_sha: 'commit one', initiated_by: 'ada', env_version: null, cache_hit: false });
    const dev = await defaultOf(acme.client);
    expect(dev).toMatchObject({ current_version: null, current_commit_sha: 'commit one', latest_deployment_id: id });
    expect(deployed.environment_epoch).toBe(dev.epoch);
    expect((await acme.client.apps.get({ params: { appId: acme.app_id } })).data.commit_sha).toBe('commit one');
    expect(await control.snapshots.paths(scope(), id)).toEqual(['a.txt', 'b.txt', 'c.txt']);
    expect(await control.snapshots.text(scope(), id, 'b.txt')).toBe('A');
    expect(await control.snapshots.text(scope(), id, 'd.txt')).toBe(null);
    expect(await control.snapshots.text({ tenant_id: other.tenant_id, app_id: other.app_id }, id, 'a.txt')).toBe(null);
  });

  it('whose files cannot be read fails, and changes nothing', async () => {
    const before = await defaultOf(acme.client);
    const draft = { deployment_type: 'push', branch: 'main', commit_sha: 'unreadable', commit_message: null, initiated_by: 'ada' } as const;
    const failed = await deployer.push(system, scope(), draft, () => Promise.reject(new Error('the host does not answer')));
    expect(failed).toMatchObject({ deployment_status: 'failure', files_status: 'failed', failure_reason: 'the host does not answer' });
    expect(await defaultOf(acme.client)).toEqual(before);
  });

  it('is aborted by the next, whichever of them is slow', async () => {
    let read = (_: []) => {};
    const draft = { deployment_type: 'push', branch: 'main', commit_sha: 'slow', commit_message: null, initiated_by: 'ada' } as const;
    const reading = new Promise<[]>((resolve) => (read = resolve));
    const slow = deployer.push(system, scope(), draft, () => reading);
    hosting.hold();
    const building = await push(deployer, scope(), {}, 'building');
    const quick = await push(deployer, scope(), {}, 'quick');
    read([]);
    hosting.open();
    expect(await slow).toMatchObject({ deployment_status: 'failure', aborted_by_deployment_id: building.id });
    expect(await ended(acme.client, building.id)).toMatchObject({ aborted_by_deployment_id: quick.id, files_status: 'synced' });
    expect(await ended(acme.client, quick.id)).toMatchObject({ deployment_status: 'success', aborted_by_deployment_id: null });
    expect((await defaultOf(acme.client)).current_commit_sha).toBe('quick');
  });

  it('that a stop of the gateway interrupted fails with that reason', async () => {
    const draft = { deployment_type: 'push', branch: 'main', commit_sha: 'cut', commit_message: null, initiated_by: 'ada' } as const;
    const { id } = (await control.deployments.start(system, scope(), draft, 'gone')).deployment;
    await control.leases.releaseAll('gone');
    await cloud.restart();
    deployer = new Deployer({ control, hosting, leases: testLeases(control), log: silentLog });
    expect((await get(id)).data).toMatchObject({ deployment_status: 'failure', failure_reason: expect.stringContaining('stopped') });
  });
});

describe('the list', () => {
  it('has the newest first, of the app or of one environment, in any state', async () => {
    const { id } = await addEnvironment(acme.client);
    const source_env_id = (await defaultOf(acme.client)).id;
    const { data } = await acme.client.environments.promote({ params: { id }, body: { source_env_id } });
    await ended(acme.client, data.deployment_id);
    const all = await acme.client.deployments.list({});
    const times = all.data.map(({ created_at }) => created_at);
    expect(times).toEqual([...times].sort().reverse());
    const ofEnvironment = await acme.client.environments.deployments({ params: { id } });
    expect(ofEnvironment.data.map((deployment) => deployment.id)).toEqual([data.deployment_id]);
    expect(ofEnvironment.pagination.total).toBe(1);
    const failed = await acme.client.deployments.list({ query: { status: 'failure', limit: 1 } });
    expect(failed.data.map(({ deployment_status }) => deployment_status)).toEqual(['failure']);
    expect(failed.pagination.total).toBeLessThan(all.pagination.total);
    expect((await acme.client.environments.deployments({ params: { id }, query: { status: 'failure' } })).data).toEqual([]);
  });

  it('shows nothing of another tenant', async () => {
    const { data } = await acme.client.deployments.list({});
    expect((await other.client.deployments.list({})).data).toEqual([]);
    expect(await codeOf(get(String(data[0]?.id), other))).toBe('404 deployment_not_found');
    expect(await codeOf(get(randomUUID()))).toBe('404 deployment_not_found');
    const { id } = await defaultOf(acme.client);
    expect(await codeOf(other.client.environments.deployments({ params: { id } }))).toBe('404 environment_not_found');
  });

  it('needs the permission and valid parameters', async () => {
    const { data } = await acme.owner.apiKeys.create({ body: { name: 'little', permissions: ['trace.read'] } });
    const limited = cloud.as(data.plaintext_key, acme.app_id);
    expect(await codeOf(limited.deployments.list({}))).toBe('403 forbidden');
    expect(await codeOf(cloud.as(null).deployments.list({}))).toBe('401 unauthorized');
    expect(await codeOf(get('nonsense'))).toBe('400 invalid_path_params');
    expect(await codeOf(acme.client.deployments.list({ query: { status: 'succeeded' as 'success' } }))).toBe('400 invalid_query_params');
  });
});
