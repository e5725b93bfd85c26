/** A push to the linked branch becomes a deployment, and the project that the cloud serves: from the event to the answers. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf } from '../../fixtures/code-of.ts';
import { type ConnectedCloud, type Provider, startConnectedCloud } from '../../fixtures/git-hosts/connected-cloud.ts';
import { gitHubPush } from '../../fixtures/git-hosts/fake-github.ts';
import { gitLabHooks, gitLabPush } from '../../fixtures/git-hosts/fake-gitlab.ts';
import { type FakeCommit, FakeRepository } from '../../fixtures/git-hosts/fake-repository.ts';
import type { TestTenant } from '../../fixtures/test-cloud.ts';

const files = {
  'service.json': JSON.stringify({ agentmarkPath: 'ai', scores: { tone: { type: 'boolean' } } }),
  'README.md': 'not for us',
  'ai/agentmark/hello.prompt.mdx': "---\nname: hello\n---\nimport Rules from './parts/rules.mdx'\n\nHello\n\n<Rules />\n",
  'ai/agentmark/parts/rules.mdx': 'Be kind.\n',
  'ai/agentmark/qa/data.jsonl': '{"input":1}\n{"input":2}',
  'ai/agentmark/logo.png': Uint8Array.of(0x89, 0xff),
  'secrets/.env': 'PASSWORD=1',
};

let fixture: ConnectedCloud;
let owls: Record<Provider, FakeRepository>;

beforeAll(async () => {
  fixture = await startConnectedCloud();
  owls = { github: new FakeRepository(7, 'team/owls', files), gitlab: new FakeRepository(7, 'team/birds/owls', files) };
  for (const provider of ['github', 'gitlab'] as const) fixture.hosts[provider].repositories.push(owls[provider]);
});
afterAll(() => fixture.stop());

/** Another tenant that is connected and linked. */
async function linkedTenant(name: string, provider: Provider, branch = 'main'): Promise<TestTenant> {
  const tenant = await fixture.cloud.addTenant(name);
  await fixture.connect(tenant, provider);
  const body = { repository: owls[provider].full_name, branch };
  await tenant.owner.appGit.link({ params: { appId: tenant.app_id }, body });
  return tenant;
}

const eventOf = (provider: Provider, commit: FakeCommit, branch = 'main') =>
  provider === 'github'
    ? gitHubPush(owls.github, commit, branch)
    : gitLabPush(owls.gitlab, commit, gitLabHooks(fixture.hosts.gitlab)[0]?.token ?? '', branch);

async function send(provider: Provider, event: RequestInit): Promise<[number, unknown]> {
  const response = await fixture.cloud.fetch(`/v1/git/webhooks/${provider}`, event);
  const { data, error } = (await response.json()) as { data?: { accepted: boolean }; error?: { code: string } };
  return [response.status, data?.accepted ?? error?.code];
}

const deployments = async ({ client }: TestTenant) => (await client.deployments.list({})).data;
const deploymentsEnded = (tenant: TestTenant, count: number) =>
  expect
    .poll(async () => (await deployments(tenant)).filter(({ deployment_status }) => deployment_status !== 'running').length)
    .toBe(count);

describe.each(['github', 'gitlab'] as const)('a push to %s', (provider) => {
  it('is deployed, and the project serves its files', async () => {
    const tenant = await linkedTenant(`first-${provider}`, provider);
    const { client, app_id } = tenant;
    expect(await deployments(tenant)).toEqual([]);
    const commit = owls[provider].commit({ 'ai/agentmark/bye.prompt.mdx': '---\nname: bye\n---\nBye\n' }, 'say bye');
    expect(await send(provider, eventOf(provider, commit))).toEqual([202, true]);
    await deploymentsEnded(tenant, 1);
    const pushed = { deployment_type: 'push', files_status: 'synced', code_status: 'skipped', branch: 'main', commit_sha: commit.sha };
    expect(await deployments(tenant)).toMatchObject([{ ...pushed, deployment_status: 'success', commit_message: 'say bye' }]);
    expect((await client.apps.get({ params: { appId: app_id } })).data.commit_sha).toBe(commit.sha);
    expect((await client.environments.list({})).data[0]).toMatchObject({ is_default: true, current_commit_sha: commit.sha });

    expect((await client.config.get()).data).toEqual({ commit_sha: commit.sha, config: JSON.parse(files['service.json']) });
    const { owner } = tenant;
    const named = { name: 'tone', data_type: 'text' } as const;
    expect(await codeOf(owner.scoreConfigChanges.create({ body: named }))).toBe('409 duplicate_score_config_name');
    expect(await codeOf(owner.scoreConfigChanges.replace({ params: { name: 'tone' }, body: { ...named, archived: false } }))).toBe(
      '409 score_config_in_project_file',
    );
    await owner.scoreConfigChanges.create({ body: { ...named, name: 'a' } });
    expect((await client.scoreConfigs.list({})).data).toMatchObject([
      { name: 'a', source: 'created' },
      { name: 'tone', source: 'project_file', data_type: 'boolean' },
    ]);
    expect((await client.prompts.list({ query: { name: 'bye' } })).data.paths).toEqual(['bye.prompt.mdx']);
    expect(JSON.stringify(await client.templates.get({ query: { path: 'hello.prompt.mdx' } }))).toContain('Be kind.');
    const { data } = await client.datasets.list({});
    expect(data).toMatchObject([{ name: 'qa/data.jsonl', row_count: 2 }]);
    await expect(client.prompts.list({})).rejects.toMatchObject({ status: 501, code: 'not_available_on_cloud' });
    await expect(client.templates.get({ query: { path: 'README.mdx' } })).rejects.toMatchObject({ code: 'template_not_found' });
    await expect(fixture.cloud.tenant.client.config.get()).rejects.toMatchObject({ code: 'config_not_found' });
  });

  it('requests from the host only files that are served, and none that it has already', async () => {
    const { hosts } = fixture;
    const tenant = await linkedTenant(`frugal-${provider}`, provider);
    hosts[provider].asked.length = 0;
    await send(provider, eventOf(provider, owls[provider].commit({}, 'again')));
    await deploymentsEnded(tenant, 1);
    const isBlob = (line: string) => line.includes('/blobs/');
    expect(hosts[provider].asked.filter(isBlob)).toHaveLength(5);
    hosts[provider].asked.length = 0;
    await send(provider, eventOf(provider, owls[provider].commit({ 'ai/agentmark/parts/rules.mdx': 'Be kinder.\n' }, 'kinder')));
    await deploymentsEnded(tenant, 2);
    // Every app that follows the branch requests the one new file.
    expect(new Set(hosts[provider].asked.filter(isBlob)).size).toBe(1);
  });

  it('that is sent again, or is older than the branch, deploys nothing more', async () => {
    const tenant = await linkedTenant(`again-${provider}`, provider);
    const early = owls[provider].commit({}, 'early');
    const late = owls[provider].commit({}, 'late');
    const event = eventOf(provider, late);
    expect(await send(provider, event)).toEqual([202, true]);
    await deploymentsEnded(tenant, 1);
    expect(await send(provider, event)).toEqual([202, false]);
    expect(await send(provider, eventOf(provider, early))).toEqual([202, true]);
    const last = owls[provider].commit({}, 'last');
    await send(provider, eventOf(provider, last));
    await deploymentsEnded(tenant, 2);
    expect((await deployments(tenant)).map(({ commit_sha }) => commit_sha)).toEqual([last.sha, late.sha]);
  });

  it('to another branch, or after unlinking, is ignored', async () => {
    const tenant = await linkedTenant(`branch-${provider}`, provider, 'main');
    expect(await send(provider, eventOf(provider, owls[provider].commit({}, 'aside', 'aside'), 'aside'))).toEqual([202, false]);
    await tenant.owner.appGit.unlink({ params: { appId: tenant.app_id } });
    await send(provider, eventOf(provider, owls[provider].commit({}, 'unheard')));
    expect(await deployments(tenant)).toEqual([]);
  });

  it('with files that cannot be used fails, and the earlier files stay served', async () => {
    const tenant = await linkedTenant(`broken-${provider}`, provider);
    await send(provider, eventOf(provider, owls[provider].commit({}, 'whole')));
    await deploymentsEnded(tenant, 1);
    const broken = owls[provider].commit({ 'ai/agentmark/odd.mdx': Uint8Array.of(0xff, 0xfe) }, 'broken');
    await send(provider, eventOf(provider, broken));
    await deploymentsEnded(tenant, 2);
    const [failed] = await deployments(tenant);
    expect(failed).toMatchObject({ deployment_status: 'failure', files_status: 'failed', commit_sha: broken.sha });
    expect(failed?.failure_reason).toContain('ai/agentmark/odd.mdx');
    expect((await tenant.client.config.get()).data.commit_sha).not.toBe(broken.sha);
    owls[provider].commit({ 'ai/agentmark/odd.mdx': null }, 'mended');
  });
});

describe('an event that the host did not send', () => {
  const commit = () => owls.github.commit({}, 'forged');
  it.each([
    ['is signed with another secret', () => gitHubPush(owls.github, commit(), 'main', 'another')],
    ['is changed', () => ({ ...gitHubPush(owls.github, commit()), body: '{}' })],
    ['has no signature', () => ({ method: 'POST', headers: { 'Content-Type': 'application/json', 'X-GitHub-Event': 'push' }, body: '{}' })],
  ])('and %s is refused, as from GitHub', async (_, event) => {
    expect(await send('github', event())).toEqual([401, 'unauthorized']);
  });

  it.each(['', 'made up', 'x'.repeat(43)])('and has the token %j is refused, as from GitLab', async (token) => {
    expect(await send('gitlab', gitLabPush(owls.gitlab, commit(), token))).toEqual([401, 'unauthorized']);
  });

  it('with the token of one project is refused for another', async () => {
    await linkedTenant('two-projects', 'gitlab');
    const token = gitLabHooks(fixture.hosts.gitlab)[0]?.token ?? '';
    const foreign = new FakeRepository(8, 'team/foreign');
    expect(await send('gitlab', gitLabPush(foreign, foreign.commit({}, 'x'), token))).toEqual([401, 'unauthorized']);
  });

  it('is refused with 415 when it is not JSON', async () => {
    expect((await send('github', { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: '{}' }))[0]).toBe(415);
  });
});

it('a link deploys the head of its branch when that is asked for, once', async () => {
  const tenant = await linkedTenant('at-once', 'github');
  const head = owls.github.commit({}, 'before any push');
  const link = { params: { appId: tenant.app_id }, body: { repository: owls.github.full_name, branch: 'main', deploy: true } };
  await tenant.owner.appGit.link(link);
  await deploymentsEnded(tenant, 1);
  expect(await deployments(tenant)).toMatchObject([{ deployment_status: 'success', commit_sha: head.sha }]);
  await tenant.owner.appGit.link(link);
  const next = owls.github.commit({}, 'a push');
  await send('github', eventOf('github', next));
  await deploymentsEnded(tenant, 2);
  expect((await deployments(tenant)).map(({ commit_sha }) => commit_sha)).toEqual([next.sha, head.sha]);
});

it('a push that was waiting when the gateway stopped is deployed after the restart', async () => {
  const tenant = await linkedTenant('restarted', 'github');
  fixture.hosts.github.outage = { status: 503, body: {} };
  const commit = owls.github.commit({}, 'while you were away');
  expect(await send('github', gitHubPush(owls.github, commit))).toEqual([202, true]);
  await fixture.cloud.restart();
  fixture.hosts.github.outage = null;
  await deploymentsEnded(tenant, 1);
  expect(await deployments(tenant)).toMatchObject([{ deployment_status: 'success', commit_sha: commit.sha }]);
});

describe('rows that are added to a synced dataset', () => {
  it('follow those of the file, numbered on, also after the next push', async () => {
    const tenant = await linkedTenant('rows', 'github');
    const { client } = tenant;
    await send('github', gitHubPush(owls.github, owls.github.commit({}, 'rows')));
    await deploymentsEnded(tenant, 1);
    const params = { datasetName: 'qa/data' };
    expect((await client.datasets.append({ params, body: { input: 'third' } })).data.line_number).toBe(2);
    expect((await client.datasets.append({ params, body: { input: 'fourth' } })).data.line_number).toBe(3);
    const read = () => client.templates.get({ query: { path: 'qa/data.jsonl', format: 'json' } }) as Promise<unknown>;
    const inputs = async () => ((await read()) as { input: unknown }[]).map(({ input }) => input);
    expect(await inputs()).toEqual([1, 2, 'third', 'fourth']);
    expect((await client.datasets.list({ query: { name: 'data' } })).data).toMatchObject([{ row_count: 4 }]);
    await send('github', gitHubPush(owls.github, owls.github.commit({ 'ai/agentmark/qa/data.jsonl': '{"input":0}\n' }, 'other rows')));
    await deploymentsEnded(tenant, 2);
    expect(await inputs()).toEqual([0, 'third', 'fourth']);
    owls.github.commit({ 'ai/agentmark/qa/data.jsonl': files['ai/agentmark/qa/data.jsonl'] }, 'as before');
  });

  it('create a dataset where there is none, for their app only, and all or none', async () => {
    const { client } = fixture.cloud.tenant;
    const params = { datasetName: 'new/one' };
    const lines = await Promise.all([1, 2, 3].map((input) => client.datasets.append({ params, body: { input } })));
    expect(lines.map(({ data }) => data.line_number).sort()).toEqual([0, 1, 2]);
    expect((await client.datasets.list({})).data).toMatchObject([{ name: 'new/one.jsonl', row_count: 3 }]);
    const other = await fixture.cloud.addTenant('no-rows');
    expect((await other.client.datasets.list({})).data).toEqual([]);
    await expect(client.datasets.append({ params: { datasetName: '../out' }, body: { input: 1 } })).rejects.toMatchObject({ status: 400 });
  });
});
