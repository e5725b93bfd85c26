/**
 * When a gateway is killed between any two steps of an operation on an environment and started again, the operation expectVersions happened once or not
 * at all. The gateways are processes of their own, killed with SIGKILL; each one continues what the previous one left.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSqliteControl } from '../control/sqlite/open.ts';
import { type Bootstrapped, bootstrap } from '../entry/bootstrap.ts';
import { type CrashingCloud, startCrashingCloud } from '../fixtures/crashing-cloud-process.ts';
import { addEnvironment, ended, push } from '../fixtures/environments.ts';
import { quickPasswords } from '../fixtures/quick-passwords.ts';
import { testClock } from '../fixtures/test-clock.ts';
import { testLeases } from '../fixtures/test-leases.ts';
import { silentLog } from '../platform/log.ts';
import { startDeployer } from './deployer.ts';
import { ProcessHosting } from './process/process-hosting.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'glasshouse-sagas-'));
let tenant: Bootstrapped;
let cloud: CrashingCloud;
let kills = 0;

const clock = testClock(() => Date.now());

/** Pushes a commit to the default environment while no gateway runs. */
async function pushOffline(text: string): Promise<void> {
  const control = openSqliteControl(dataDir, clock);
  const leases = testLeases(control);
  const deployer = await startDeployer({ control, hosting: new ProcessHosting(dataDir), leases, log: silentLog });
  await push(deployer, { tenant_id: tenant.tenant_id, app_id: tenant.app_id }, { 'prompts/hello.prompt.mdx': text }, `commit of ${text}`);
  await deployer.stop();
  await leases.stop();
  await control.stop();
}

beforeAll(async () => {
  tenant = await bootstrap({ dataDir, email: 'owner@acme.test', password: 'correct horse', tenant: 'acme', passwordCost: quickPasswords });
  await pushOffline('first');
  cloud = await startCrashingCloud(dataDir, tenant);
});

afterAll(async () => {
  await cloud.kill();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Does the work with a gateway that crashes at the point, and starts the next. */
async function crashAt(point: string, work: () => Promise<unknown>): Promise<void> {
  await cloud.arm(point);
  // The response may or may not have been sent before the crash.
  await work().catch(() => {});
  expect(await cloud.death).toBe('SIGKILL');
  kills += 1;
  cloud = await startCrashingCloud(dataDir, tenant);
}

/** Waits until the environment expectVersions no operation in progress. */
async function settled(id: string) {
  const detail = async () => (await cloud.client.environments.get({ params: { id } })).data;
  await expect.poll(async () => (await detail()).in_flight_saga_id).toBe(null);
  return detail();
}

const both = (methods: string[]) => methods.flatMap((method) => [`${method} before`, `${method} after`]);
const steps = both(['sagas.release', 'sagas.pin', 'hosting.deploy', 'sagas.built', 'sagas.finish']);
const hasStarted = (point: string) => point !== 'sagas.release before';

const dev = async () => String((await cloud.client.environments.list({})).data[0]?.id);
const promote = async (id: string, source_env_id: string) =>
  (await cloud.client.environments.promote({ params: { id }, body: { source_env_id } })).data;

const versionsOf = async (id: string) => {
  const { data } = await cloud.client.environments.deployments({ params: { id } });
  return data.map(({ env_version, deployment_status, files_status, code_status }) =>
    [env_version, deployment_status, files_status, code_status].join(' '),
  );
};
const done = (version: number) => `${version} success synced skipped`;

/** Expects that the operations have left exactly these versions, and that one more promotion makes the next. */
async function expectVersions(id: string, versions: number[]): Promise<void> {
  const { current_version, latest_deployment_id, cascade_preview, epoch } = await settled(id);
  expect(await versionsOf(id)).toEqual(versions.map(done));
  expect(current_version).toBe(versions[0] ?? null);
  expect(epoch).toBe(1 + versions.length);
  expect(cascade_preview).toMatchObject({ deployment_count: versions.length, template_snapshot_count: versions.length });
  const { data } = await cloud.client.deployments.list({ query: { limit: 1000 } });
  if (latest_deployment_id) expect(data.find((deployment) => deployment.id === latest_deployment_id)?.env_version).toBe(versions[0]);
  const { hosted, places } = await everyEnvironment();
  expect(places).toEqual(hosted);
  const next = await promote(id, await dev());
  expect(next.env_version).toBe(1 + (versions[0] ?? 0));
  expect((await ended(cloud.client, next.deployment_id)).deployment_status).toBe('success');
}

describe('a promotion that was cut off', () => {
  it.each(steps)('at %s ends with one version', async (point) => {
    const { id } = await addEnvironment(cloud.client);
    const source = await dev();
    await crashAt(point, () => promote(id, source));
    await expectVersions(id, hasStarted(point) ? [1] : []);
  });
});

describe('a rollback that was cut off', () => {
  it.each(steps)('at %s ends with one version', async (point) => {
    const { id } = await addEnvironment(cloud.client);
    const source = await dev();
    for (let version = 1; version <= 2; version++) await ended(cloud.client, (await promote(id, source)).deployment_id);
    await settled(id);
    await crashAt(point, () => cloud.client.environments.rollback({ params: { id }, body: { target_version: 1 } }));
    await expectVersions(id, hasStarted(point) ? [3, 2, 1] : [2, 1]);
  });
});

/** The environments according to the store and to the host. */
async function everyEnvironment() {
  const { data } = await cloud.client.environments.list({ query: { limit: 1000 } });
  const places = readdirSync(join(dataDir, 'handlers'));
  const hosted = data.filter(({ hosting_app_name }) => hosting_app_name !== null).map(({ id }) => id);
  return { names: data.map(({ name }) => name), hosted: hosted.sort(), places: places.sort() };
}

describe('a creation that was cut off', () => {
  it.each(both(['sagas.create', 'hosting.provision', 'sagas.settle']))('at %s leaves the whole environment or nothing', async (point) => {
    const name = `cut off ${point}`;
    await crashAt(point, () => addEnvironment(cloud.client, name));
    const { names, hosted, places } = await everyEnvironment();
    expect(names.includes(name)).toBe(point === 'sagas.settle after');
    expect(places).toEqual(hosted);
  });
});

describe('a removal that was cut off', () => {
  it.each(both(['sagas.remove', 'hosting.remove', 'sagas.discard']))('at %s leaves the whole environment or nothing', async (point) => {
    const { id, name } = await addEnvironment(cloud.client);
    await crashAt(point, () => cloud.client.environments.remove({ params: { id } }));
    const { names, hosted, places } = await everyEnvironment();
    expect(names.includes(name)).toBe(point === 'sagas.remove before');
    expect(places).toEqual(hosted);
  });
});

it('the gateway was killed at every step', () => {
  expect(kills).toBe(2 * steps.length + 12);
});
