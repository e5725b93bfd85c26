/**
 * A push that a crash cuts off is deployed all the same, once, by the gateway that is started next: it is killed before and after every
 * step between the event and the end of the deployment. Only an event that it never took has to come again.
 */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CrashingCloud, crashingCloudSecret, startCrashingCloud } from '../fixtures/crashing-cloud-process.ts';
import { type ConnectedCloud, startConnectedCloud } from '../fixtures/git-hosts/connected-cloud.ts';
import { gitHubPush } from '../fixtures/git-hosts/fake-github.ts';
import { type FakeCommit, FakeRepository } from '../fixtures/git-hosts/fake-repository.ts';

const steps = ['git.receivePush', 'git.due', 'deployments.start', 'deployments.sync', 'hosting.deploy', 'deployments.finish', 'git.settle'];
const points = steps.flatMap((step) => [`${step} before`, `${step} after`]);
const owls = new FakeRepository(7, 'team/owls', { 'service.json': '{}', 'prompts/hello.prompt.mdx': 'Hello' });
let setting: ConnectedCloud;
let cloud: CrashingCloud;
let kills = 0;

const start = () => startCrashingCloud(setting.cloud.dataDir, setting.cloud.tenant, setting.git);

beforeAll(async () => {
  setting = await startConnectedCloud({ secret: crashingCloudSecret });
  setting.hosts.github.repositories.push(owls);
  const { tenant } = setting.cloud;
  await setting.connect(tenant, 'github');
  await tenant.owner.appGit.link({ params: { appId: tenant.app_id }, body: { repository: owls.full_name, branch: 'main' } });
  await setting.cloud.gateway.stop();
  cloud = await start();
});
afterAll(async () => {
  await cloud.kill();
  await Promise.all(Object.values(setting.hosts).map((host) => host.stop()));
  rmSync(setting.cloud.dataDir, { recursive: true, force: true });
});

const send = (commit: FakeCommit) => fetch(`${cloud.url}/v1/git/webhooks/github`, gitHubPush(owls, commit));
const deploymentsOf = async ({ sha }: FakeCommit) =>
  (await cloud.client.deployments.list({ query: { limit: 1000 } })).data.filter(({ commit_sha }) => commit_sha === sha);

it.each(points)('killed at %s', async (point) => {
  const commit = owls.commit({ 'prompts/hello.prompt.mdx': `Hello, ${point}` }, point);
  await cloud.arm(point);
  // The answer may or may not have left before it died.
  await send(commit).catch(() => {});
  expect(await cloud.death).toBe('SIGKILL');
  kills += 1;
  cloud = await start();
  if (point === 'git.receivePush before') expect((await send(commit)).status).toBe(202);

  const outcomes = async () => (await deploymentsOf(commit)).map(({ deployment_status }) => deployment_status).sort();
  await expect.poll(outcomes).toEqual(expect.arrayContaining(['success']));
  // What had begun and had no files yet is told as cut off; the rest of it is one deployment.
  expect(await outcomes()).toEqual(/start after|sync before/.test(point) ? ['failure', 'success'] : ['success']);
  const { data } = await cloud.client.environments.list({});
  const [served] = (await deploymentsOf(commit)).filter(({ deployment_status }) => deployment_status === 'success');
  expect(data[0]).toMatchObject({ current_commit_sha: commit.sha, latest_deployment_id: served?.id });

  // Hosts send an event again when they got no answer: it finds nothing to do.
  const before = await deploymentsOf(commit);
  await send(commit);
  const next = owls.commit({}, `after ${point}`);
  await send(next);
  await expect.poll(async () => (await deploymentsOf(next))[0]?.deployment_status).toBe('success');
  expect(await deploymentsOf(commit)).toEqual(before);
});

it('was killed at every step', () => {
  expect(kills).toBe(points.length);
});
