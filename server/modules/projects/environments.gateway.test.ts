/** Environments over HTTP: each answer, and none of it for another tenant. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GatewayError } from '../../../shared/client.ts';
import type { ControlStore } from '../../control/control-store.ts';
import { openSqliteControl } from '../../control/sqlite/open.ts';
import { codeOf } from '../../fixtures/code-of.ts';
import { addEnvironment, defaultOf, ended, push } from '../../fixtures/environments.ts';
import { ScriptedHosting } from '../../fixtures/scripted-hosting.ts';
import { startTestCloud, type TestCloud, type TestTenant } from '../../fixtures/test-cloud.ts';
import { testLeases } from '../../fixtures/test-leases.ts';
import { Deployer } from '../../hosting/deployer.ts';
import { standardPlans } from '../../limits/plan-table.ts';
import { must } from '../../platform/assert.ts';
import { silentLog } from '../../platform/log.ts';

const hosting = new ScriptedHosting();
let control: ControlStore;
let cloud: TestCloud;
let acme: TestTenant;
let other: TestTenant;
let deployer: Deployer;

beforeAll(async () => {
  cloud = await startTestCloud({
    hosting,
    planTable: { ...standardPlans, enterprise: { ...standardPlans.enterprise, environments: 40 } },
    openControl: (folder, clock) => {
      control = openSqliteControl(folder, clock);
      return control;
    },
  });
  acme = cloud.tenant;
  other = await cloud.addTenant('other');
  deployer = new Deployer({ control, hosting, leases: testLeases(control), log: silentLog });
  await acme.owner.apps.update({ params: { appId: acme.app_id }, body: { entry_point: './handler.js' } });
  await pushToEnd({ 'handler.js': 'first', 'prompts/a.prompt.mdx': 'same' });
});
afterAll(async () => {
  await deployer.stop();
  await cloud.stop();
});

const scopeOf = ({ tenant_id, app_id }: TestTenant) => ({ tenant_id, app_id });

async function pushToEnd(files: Record<string, string>) {
  const { id } = await push(deployer, scopeOf(acme), files);
  return ended(acme.client, id);
}

const unknownId = randomUUID();
const get = (id: string, { client } = acme) => client.environments.get({ params: { id } });
const promote = (id: string, body: { source_env_id?: string; source_deployment_id?: string; note?: string }, { client } = acme) =>
  client.environments.promote({ params: { id }, body });
const rollback = (id: string, target_version: number, { client } = acme) =>
  client.environments.rollback({ params: { id }, body: { target_version } });

/** Promotes from the default environment, and waits for the end. */
async function promoteToEnd(id: string) {
  const { data } = await promote(id, { source_env_id: (await defaultOf(acme.client)).id });
  return ended(acme.client, data.deployment_id);
}

describe('a new environment', () => {
  it('is hosted, has no version, and links to the page that creates a key for it', async () => {
    const created = await addEnvironment(acme.client, 'staging');
    expect(created).toMatchObject({ name: 'staging', kind: 'production', is_default: false, is_ephemeral: false, epoch: 1 });
    expect(created).toMatchObject({ current_version: null, current_commit_sha: null, hosting_app_name: `host-${created.id}` });
    expect(created.api_key_creation_url).toBe(`${cloud.url}/#/settings/keys?form=new&app=${acme.app_id}&environment=staging`);
    const { data } = await get(created.id);
    expect(data.in_flight_saga_id).toBe(null);
    expect(data.cascade_preview).toEqual({ alert_count: 0, api_key_count: 0, deployment_count: 0, template_snapshot_count: 0 });
  });

  it('of a pull request is an ephemeral preview', async () => {
    const { data } = await acme.client.environments.create({ body: { name: 'pr zero', pr_number: 0 } });
    expect(data).toMatchObject({ kind: 'preview', is_ephemeral: true, source_pr_number: 0 });
    expect(await codeOf(acme.client.environments.create({ body: { name: 'again', pr_number: 0 } }))).toBe('409 duplicate_environment_name');
  });

  it('has a unique name in the app, which is case-sensitive', async () => {
    await addEnvironment(acme.client, 'named');
    expect(await codeOf(addEnvironment(acme.client, 'named'))).toBe('409 duplicate_environment_name');
    expect(await codeOf(addEnvironment(acme.client, 'Named'))).toBe('none');
    expect(await codeOf(addEnvironment(other.client, 'named'))).toBe('none');
  });

  it.each(['', ' led', 'followed ', 'bro\nken', 'x'.repeat(256)])('cannot be named %j', async (name) => {
    expect(await codeOf(addEnvironment(acme.client, name))).toBe('400 invalid_request_body');
  });

  it('that cannot be hosted is not created', async () => {
    hosting.refusal = 'no room';
    expect(await codeOf(addEnvironment(acme.client, 'homeless'))).toBe('500 env_hosting_provisioning_failed');
    hosting.refusal = null;
    expect((await acme.client.environments.list({ query: { name: 'homeless' } })).data).toEqual([]);
    const { data } = await acme.client.environments.list({ query: { limit: 1000 } });
    expect([...hosting.places].filter((id) => !data.some((environment) => environment.id === id))).toHaveLength(
      (await other.client.environments.list({})).data.filter(({ is_default }) => !is_default).length,
    );
    expect(await codeOf(addEnvironment(acme.client, 'homeless'))).toBe('none');
  });

  it('that can be neither hosted nor cleaned up is not created either, and the clean-up is retried until it succeeds', async () => {
    const placesBefore = new Set(hosting.places);
    hosting.refusal = 'no room';
    hosting.failingRemovals = 2;
    expect(await codeOf(addEnvironment(acme.client, 'clung to'))).toBe('500 env_hosting_provisioning_failed');
    hosting.refusal = null;
    expect((await acme.client.environments.list({ query: { name: 'clung to' } })).data).toEqual([]);
    const [stray] = [...hosting.places].filter((id) => !placesBefore.has(id));
    expect(stray).toBeDefined();
    expect(await codeOf(addEnvironment(acme.client, 'clung to'))).toBe('none');
    await expect.poll(() => hosting.places.has(stray ?? '')).toBe(false);
  });

  it('is refused when the limit of the plan is reached', async () => {
    const third = await cloud.addTenant('third');
    for (let count = 1; count < 40; count++) await addEnvironment(third.client, `${count}`);
    expect(await codeOf(addEnvironment(third.client, 'one more'))).toBe('402 entitlement_required');
  });
});

it('are listed with the default one first, and filtered by name', async () => {
  const { data, pagination } = await acme.client.environments.list({ query: { limit: 2 } });
  expect(data.map(({ is_default }) => is_default)).toEqual([true, false]);
  expect(pagination.total).toBeGreaterThan(2);
  expect((await acme.client.environments.list({ query: { name: 'dev' } })).data.map(({ name }) => name)).toEqual(['dev']);
});

describe('a promotion', () => {
  it('copies the files, the commit and the code of its source', async () => {
    const { id } = await addEnvironment(acme.client);
    const dev = await defaultOf(acme.client);
    const { data } = await promote(id, { source_env_id: dev.id, note: 'go' });
    expect(data).toMatchObject({ env_version: 1, commit_sha: dev.current_commit_sha });
    expect((await get(id)).data).toMatchObject({ current_version: 1, latest_deployment_id: data.deployment_id, epoch: 2 });
    const deployed = await ended(acme.client, data.deployment_id);
    expect(deployed).toMatchObject({ deployment_status: 'success', files_status: 'synced', code_status: 'deployed', note: 'go' });
    expect(deployed).toMatchObject({ deployment_type: 'manual', env_version: 1, environment_epoch: 2, source_env_id: dev.id });
    expect(deployed.source_deployment_id).toBe(dev.latest_deployment_id);
    expect(deployed.completed_at).not.toBe(null);
    const files = await control.snapshots.files(scopeOf(acme), deployed.id);
    expect(files?.map(({ path }) => path)).toEqual(['handler.js', 'prompts/a.prompt.mdx']);
    const released = must(
      hosting.released.find(({ deployment_id }) => deployment_id === deployed.id),
      'it was released',
    );
    expect(released.handler).toEqual({ entry_point: 'handler.js', runtime: 'nodejs' });
    expect((await get(id)).data.cascade_preview).toMatchObject({ deployment_count: 1, template_snapshot_count: 1 });
  });

  it('takes a deployment, or another environment, as its source', async () => {
    const [first, second, third] = [
      await addEnvironment(acme.client),
      await addEnvironment(acme.client),
      await addEnvironment(acme.client),
    ];
    const { id } = await promoteToEnd(first.id);
    const byDeployment = (await promote(second.id, { source_deployment_id: id })).data;
    expect(await ended(acme.client, byDeployment.deployment_id)).toMatchObject({ source_env_id: first.id, source_deployment_id: id });
    const byEnvironment = (await promote(third.id, { source_env_id: second.id })).data;
    expect((await ended(acme.client, byEnvironment.deployment_id)).deployment_status).toBe('success');
  });

  it('of a default environment without a push deploys nothing, as version 1', async () => {
    const { id } = await addEnvironment(other.client);
    const { data } = await promote(id, { source_env_id: (await defaultOf(other.client)).id }, other);
    expect(data).toMatchObject({ env_version: 1, commit_sha: '0'.repeat(40) });
    expect(await ended(other.client, data.deployment_id)).toMatchObject({ deployment_status: 'success', code_status: 'skipped' });
  });

  it('whose code fails is a failure with a version number that is never used again', async () => {
    const { id } = await addEnvironment(acme.client);
    hosting.outcome = { code_status: 'failed', code_failure_reason: 'it broke' };
    const failed = await promoteToEnd(id);
    hosting.outcome = { code_status: 'deployed', code_failure_reason: null };
    expect(failed).toMatchObject({ deployment_status: 'failure', code_failure_reason: 'it broke', env_version: 1 });
    expect((await promoteToEnd(id)).env_version).toBe(2);
    expect(await codeOf(rollback(id, 1))).toBe('409 target_version_not_available');
    expect(await codeOf(promote((await addEnvironment(acme.client)).id, { source_deployment_id: failed.id }))).toBe(
      '409 source_not_deployable',
    );
  });

  it('needs exactly one source, and not itself', async () => {
    const { id } = await addEnvironment(acme.client);
    const { id: source_deployment_id } = await promoteToEnd(id);
    expect(await codeOf(promote(id, {}))).toBe('400 invalid_request_body');
    expect(await codeOf(promote(id, { source_env_id: unknownId, source_deployment_id: unknownId }))).toBe('400 invalid_request_body');
    expect(await codeOf(promote(id, { source_env_id: id }))).toBe('400 invalid_request_body');
    expect(await codeOf(promote(id, { source_deployment_id }))).toBe('400 invalid_request_body');
    expect(await codeOf(promote(id, { source_env_id: (await defaultOf(acme.client)).id, note: 'x'.repeat(2001) }))).toBe(
      '400 invalid_request_body',
    );
  });

  it('does not find what belongs to others, like what does not exist', async () => {
    const { id } = await addEnvironment(acme.client);
    const foreign = await defaultOf(other.client);
    expect(await codeOf(promote(id, { source_env_id: unknownId }))).toBe('404 environment_not_found');
    expect(await codeOf(promote(id, { source_env_id: foreign.id }))).toBe('404 environment_not_found');
    expect(await codeOf(promote(id, { source_deployment_id: unknownId }))).toBe('404 deployment_not_found');
    const { data } = await other.client.deployments.list({});
    expect(await codeOf(promote(id, { source_deployment_id: must(data[0], 'it promoted').id }))).toBe('404 deployment_not_found');
    expect(await codeOf(promote(unknownId, { source_env_id: id }))).toBe('404 environment_not_found');
    expect(await codeOf(promote(id, { source_env_id: (await defaultOf(acme.client)).id }, other))).toBe('404 environment_not_found');
  });

  it('cannot go into the default environment, nor out of one without a version', async () => {
    const { id } = await addEnvironment(acme.client);
    const dev = await defaultOf(acme.client);
    expect(await codeOf(promote(dev.id, { source_env_id: id }))).toBe('409 default_environment_locked');
    expect(await codeOf(promote((await addEnvironment(acme.client)).id, { source_env_id: id }))).toBe('409 source_not_deployable');
  });

  it('is never queued: while one is running others are refused', async () => {
    const { id } = await addEnvironment(acme.client);
    const source_env_id = (await defaultOf(acme.client)).id;
    hosting.hold();
    const { data } = await promote(id, { source_env_id });
    const { in_flight_saga_id } = (await get(id)).data;
    expect(in_flight_saga_id).not.toBe(null);
    const refusal = await promote(id, { source_env_id }).catch((error: GatewayError) => error);
    expect(refusal).toMatchObject({ code: 'environment_operation_in_progress', extras: { in_flight_saga_id } });
    expect(await codeOf(acme.owner.environments.remove({ params: { id } }))).toBe('409 environment_operation_in_progress');
    hosting.open();
    await ended(acme.client, data.deployment_id);
    expect((await promoteToEnd(id)).env_version).toBe(2);
  });

  it('runs once when several are requested at once', async () => {
    const { id } = await addEnvironment(acme.client);
    const source_env_id = (await defaultOf(acme.client)).id;
    hosting.hold();
    const answers = await Promise.all(Array.from({ length: 8 }, () => codeOf(promote(id, { source_env_id }))));
    hosting.open();
    expect(answers.sort()).toEqual([...Array(7).fill('409 environment_operation_in_progress'), 'none']);
  });
});

describe('a rollback', () => {
  it('restores an earlier version as a new one', async () => {
    const { id } = await addEnvironment(acme.client);
    const first = await promoteToEnd(id);
    await pushToEnd({ 'handler.js': 'second' });
    await promoteToEnd(id);
    const { data } = await rollback(id, 1);
    expect(data).toMatchObject({ env_version: 3, commit_sha: first.commit_sha });
    const restored = await ended(acme.client, data.deployment_id);
    expect(restored).toMatchObject({ deployment_status: 'success', source_env_id: id, source_deployment_id: first.id });
    expect(await control.snapshots.text(scopeOf(acme), restored.id, 'handler.js')).toBe('first');
    expect((await get(id)).data).toMatchObject({ current_version: 3, current_commit_sha: first.commit_sha });
    expect(await codeOf(rollback(id, 3))).toBe('409 target_version_not_available');
    await promoteToEnd(id);
    expect(await codeOf(rollback(id, 3))).toBe('409 target_version_not_available');
    expect(await codeOf(rollback(id, 2))).toBe('none');
  });

  it('is refused where there is nothing to go back to', async () => {
    const { id } = await addEnvironment(acme.client);
    expect(await codeOf(rollback(id, 1))).toBe('409 target_version_not_available');
    await promoteToEnd(id);
    expect(await codeOf(rollback(id, 1))).toBe('409 target_version_not_available');
    expect(await codeOf(rollback(id, 2))).toBe('409 target_version_not_available');
    expect(await codeOf(rollback(id, 0))).toBe('400 invalid_request_body');
    expect(await codeOf(rollback(unknownId, 1))).toBe('404 environment_not_found');
    expect(await codeOf(rollback(id, 1, other))).toBe('404 environment_not_found');
    expect(await codeOf(rollback((await defaultOf(acme.client)).id, 1))).toBe('409 default_environment_locked');
  });

  it('is refused while an operation is running', async () => {
    const { id } = await addEnvironment(acme.client);
    await promoteToEnd(id);
    await promoteToEnd(id);
    hosting.hold();
    const { data } = await rollback(id, 1);
    expect(await codeOf(rollback(id, 1))).toBe('409 environment_operation_in_progress');
    hosting.open();
    await ended(acme.client, data.deployment_id);
  });
});

describe('a removal', () => {
  it('deletes what its preview counts', async () => {
    const { id, name } = await addEnvironment(acme.client);
    const { data: key } = await acme.client.apiKeys.create({ body: { name: 'of it', environment_name: name } });
    const { id: deploymentId } = await promoteToEnd(id);
    expect((await get(id)).data.cascade_preview).toMatchObject({ api_key_count: 1, deployment_count: 1, template_snapshot_count: 1 });
    await acme.client.environments.remove({ params: { id } });
    expect(await codeOf(get(id))).toBe('404 environment_not_found');
    expect(await codeOf(acme.client.deployments.get({ params: { deploymentId } }))).toBe('404 deployment_not_found');
    expect(await control.snapshots.files(scopeOf(acme), deploymentId)).toBe(null);
    expect((await acme.client.apiKeys.list({})).data.map(({ id: keyId }) => keyId)).not.toContain(key.id);
    expect(hosting.places.has(id)).toBe(false);
    expect(await codeOf(acme.client.environments.remove({ params: { id } }))).toBe('404 environment_not_found');
  });

  it('is refused for the default environment, and does not find those of others', async () => {
    const dev = await defaultOf(acme.client);
    const remove = (client: TestTenant['client'], id: string) => codeOf(client.environments.remove({ params: { id } }));
    expect(await remove(acme.client, dev.id)).toBe('409 default_environment_locked');
    expect(await remove(other.client, dev.id)).toBe('404 environment_not_found');
    const { id } = await addEnvironment(acme.client);
    expect(await remove(other.client, id)).toBe('404 environment_not_found');
    expect(await codeOf(get(id))).toBe('none');
  });
});

it('need the permission', async () => {
  const { data } = await acme.owner.apiKeys.create({ body: { name: 'little', permissions: ['environment.read'] } });
  const limited = cloud.as(data.plaintext_key, acme.app_id);
  const { id } = await defaultOf(limited);
  expect(await codeOf(limited.environments.create({ body: { name: 'x' } }))).toBe('403 forbidden');
  expect(await codeOf(limited.environments.remove({ params: { id } }))).toBe('403 forbidden');
  expect(await codeOf(limited.environments.promote({ params: { id }, body: { source_env_id: id } }))).toBe('403 forbidden');
  expect(await codeOf(limited.environments.rollback({ params: { id }, body: { target_version: 1 } }))).toBe('403 forbidden');
  expect(await codeOf(limited.environments.deployments({ params: { id } }))).toBe('403 forbidden');
  expect(await codeOf(cloud.as(null).environments.list({}))).toBe('401 unauthorized');
  expect(await codeOf(get('nonsense'))).toBe('400 invalid_path_params');
});
