/**
 * A push interrupted by a crash is still deployed, once, by the next gateway: the gateway is killed before and after every step between the
 * event and the end of the deployment. Only an event that it never stored has to be sent again.
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
let connected: ConnectedCloud;
let cloud: CrashingCloud;
let kills = 0;

const start = () => startCrashingCloud(connected.cloud.dataDir, connected.cloud.tenant, connected.git);

beforeAll(async () => {
  connected = await startConnectedCloud({ secret: crashingCloudSecret });
  connected.hosts.github.repositories.push(owls);
  const { tenant } = connected.cloud;
  await connected.connect(tenant, 'github');
  await tenant.owner.appGit.link({ params: { appId: tenant.app_id }, body: { repository: owls.full_name, branch: 'main' } });
  await connected.cloud.gateway.stop();
  cloud = await start();
});
afterAll(async () => {
  await cloud.kill();
  await Promise.all(Object.values(connected.hosts).map((host) => host.stop()));
  rmSync(connected.cloud.dataDir, { recursive: true, force: true });
});

const send = (commit: FakeCommit) => fetch(`${cloud.url}/v1/git/webhooks/github`, gitHubPush(owls, commit));
const deploymentsOf = async ({ sha }: FakeCommit) =>
  (await cloud.client.deployments.list({ query: { limit: 1000 } })).data.filter(({ commit_sha }) => commit_sha === sha);

it.each(points)('killed at %s', async (point) => {
  const commit = owls.commit({ 'prompts/hello.prompt.mdx': `Hello, ${point}` }, point);
  await cloud.arm(point);
  // The response may or may not have been sent before the crash.
  await send(commit).catch(() => {});
  expect(await cloud.death).toBe('SIGKILL');
  kills += 1;
  cloud = await start();
  // A gateway looks for due links also when nothing was pushed.
  if (point === 'git.receivePush before' || point.startsWith('git.due')) expect((await send(commit)).status).toBe(202);

  const outcomes = async () => (await deploymentsOf(commit)).map(({ deployment_status }) => deployment_status).sort();
  await expect.poll(outcomes).toEqual(expect.arrayContaining(['success']));
  // A deployment that had started without files is recorded as failed; otherwise there is one deployment.
  expect(await outcomes()).toEqual(/start after|sync before/.test(point) ? ['failure', 'success'] : ['success']);
  const { data } = await cloud.client.environments.list({});
  const [served] = (await deploymentsOf(commit)).filter(({ deployment_status }) => deployment_status === 'success');
  expect(data[0]).toMatchObject({ current_commit_sha: commit.sha, latest_deployment_id: served?.id });

  // Hosts repeat an event that got no response: there is nothing left to do.
  const before = await deploymentsOf(commit);
  await send(commit);
  const next = owls.commit({}, `after ${point}`);
  await send(next);
  await expect.poll(async () => (await deploymentsOf(next))[0]?.deployment_status).toBe('success');
  expect(await deploymentsOf(commit)).toEqual(before);
});

it('the gateway was killed at every step', () => {
  expect(kills).toBe(points.length);
});
