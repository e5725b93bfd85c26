/** Prompts as the viewer shows them: those of a folder, and those that environments serve. */
import { afterEach, expect, it } from 'vitest';
import { codeOf } from '../../fixtures/code-of.ts';
import { addEnvironment } from '../../fixtures/environments.ts';
import { aProject, type ProjectTree } from '../../fixtures/project-tree.ts';
import { startPushingCloud } from '../../fixtures/pushing-cloud.ts';
import { startTestGateway, type TestGateway } from '../../fixtures/test-gateway.ts';

const refund = (model: string, text: string) => `---
name: refund
text_config:
  model_name: ${model}
test_settings:
  dataset: ./refunds.jsonl
---
<System>${text}</System>
<User>{props.question}</User>
`;
const picture = '---\nname: picture\nimage_config:\n  model_name: dall-e-3\n---\n<ImagePrompt>An owl</ImagePrompt>\n';
const at = 'agentmark/shop/refund.prompt.mdx';
const path = 'shop/refund.prompt.mdx';

let stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.reverse()) await stop();
  stops = [];
});

async function aCloud() {
  const { cloud, push } = await startPushingCloud();
  stops.push(() => cloud.stop());
  return { cloud, pushFiles: (sha: string, files: Record<string, string>) => push(cloud.tenant, sha, files) };
}

it('a cloud lists what is deployed, by environment, with the last change of each prompt', async () => {
  const { cloud, pushFiles } = await aCloud();
  const { client } = cloud.tenant;
  const empty = (await client.viewerPrompts.list({})).data;
  expect(empty).toMatchObject({ source: { kind: 'environment', is_default: true, deployment: null }, prompts: [] });
  expect((await client.viewerPrompts.versions({ query: { path } })).data).toEqual([]);
  expect(await codeOf(client.prompts.list({}))).toBe('501 not_available_on_cloud');

  const first = await pushFiles('c1', { 'agentmark.json': '{}', [at]: refund('gpt-4o', 'Be kind.'), 'agentmark/p.prompt.mdx': picture });
  const staging = await addEnvironment(client, 'staging');
  await client.environments.promote({ params: { id: staging.id }, body: { source_deployment_id: first.id, note: 'the first' } });
  await pushFiles('c2', { 'agentmark.json': '{}', [at]: refund('gpt-4o', 'Be kind.'), 'agentmark/p.prompt.mdx': `${picture}!` });
  const third = await pushFiles('c3', { 'agentmark.json': '{}', [at]: refund('gpt-5', 'Be brief.') });

  const { source, prompts } = (await client.viewerPrompts.list({})).data;
  expect(source).toMatchObject({ kind: 'environment', deployment: { id: third.id, commit_sha: 'c3' } });
  expect(prompts).toEqual([
    {
      ...{ path, name: 'refund', kind: 'text', models: ['gpt-5'], dataset: './refunds.jsonl' },
      changed_at: expect.any(String),
      changed_by: expect.objectContaining({ id: third.id, commit_sha: 'c3', commit_message: 'Change it', initiated_by: 'ada' }),
    },
  ]);
  const inStaging = (await client.viewerPrompts.list({ query: { environment: 'staging' } })).data;
  expect(inStaging.prompts.map(({ path: promptPath, kind, models }) => [promptPath, kind, models])).toEqual([
    ['p.prompt.mdx', 'image', ['dall-e-3']],
    [path, 'text', ['gpt-4o']],
  ]);
  expect(inStaging.prompts[0]?.changed_by).toMatchObject({ env_version: 1, note: 'the first' });

  const versions = (await client.viewerPrompts.versions({ query: { path } })).data;
  expect(versions.map(({ change, deployment }) => [change, deployment.commit_sha])).toEqual([
    ['changed', 'c3'],
    ['added', 'c1'],
  ]);
  const removed = (await client.viewerPrompts.versions({ query: { path: 'p.prompt.mdx' } })).data;
  expect(removed.map(({ change, deployment }) => [change, deployment.commit_sha])).toEqual([
    ['removed', 'c3'],
    ['changed', 'c2'],
    ['added', 'c1'],
  ]);
  const before = await client.viewerPrompts.text({ query: { path, deployment_id: first.id } });
  expect(before.data.text).toBe(refund('gpt-4o', 'Be kind.'));
  expect((await client.viewerPrompts.text({ query: { path, environment: 'staging' } })).data.text).toBe(refund('gpt-4o', 'Be kind.'));
  expect(JSON.stringify((await client.viewerPrompts.tree({ query: { path } })).data)).toContain('Be brief.');
  expect(JSON.stringify((await client.viewerPrompts.tree({ query: { path, deployment_id: first.id } })).data)).toContain('Be kind.');
});

it('a prompt with a tag that no renderer knows is listed and shown as text; it has no tree, and no experiment runs it', async () => {
  const { cloud, pushFiles } = await aCloud();
  const { client, owner } = cloud.tenant;
  const text = `${refund('gpt-4o', 'Be kind.')}<Human>Hi</Human>\n`;
  await pushFiles('c1', { 'agentmark.json': '{}', 'agentmark/rows.jsonl': '{"input":1}\n', [at]: text });
  expect((await client.viewerPrompts.list({})).data.prompts).toMatchObject([{ path, name: 'refund', models: ['gpt-4o'] }]);
  expect((await client.viewerPrompts.text({ query: { path } })).data.text).toBe(text);
  const reads = [
    client.templates.get({ query: { path, promptKind: 'text' } }),
    client.viewerPrompts.tree({ query: { path } }),
    owner.experimentRuns.start({ body: { dataset: 'rows', prompt: path } }),
  ];
  const refusal = {
    status: 400,
    code: 'template_parse_error',
    message: expect.stringContaining('<Human>'),
    extras: { line: 10, column: 1 },
  };
  for (const read of reads) await expect(read).rejects.toMatchObject(refusal);
});

it('nobody reads what another team has deployed', async () => {
  const { cloud, pushFiles } = await aCloud();
  const deployed = await pushFiles('c1', { 'agentmark.json': '{}', [at]: refund('gpt-4o', 'Be kind.') });
  const { client } = await cloud.addTenant('beta');
  const [environment] = (await cloud.tenant.client.environments.list({})).data;
  const query = { path, deployment_id: deployed.id };
  expect((await client.viewerPrompts.list({})).data.prompts).toEqual([]);
  expect(await codeOf(client.viewerPrompts.text({ query }))).toBe('404 deployment_not_found');
  expect(await codeOf(client.viewerPrompts.tree({ query }))).toBe('404 deployment_not_found');
  expect((await client.viewerPrompts.versions({ query: { path } })).data).toEqual([]);
  expect(await codeOf(client.viewerReleases.changes({ params: { id: environment?.id ?? '' } }))).toBe('404 environment_not_found');
  const [own] = (await client.environments.list({})).data;
  const request = { params: { id: own?.id ?? '' }, query: { deployment_id: deployed.id } };
  expect(await codeOf(client.viewerReleases.changes(request))).toBe('404 deployment_not_found');
  expect(await codeOf(client.viewerReleases.file({ ...request, query: { ...request.query, path: at } }))).toBe('404 deployment_not_found');
});

it('what a promotion would change is shown before it happens, file by file', async () => {
  const { cloud, pushFiles } = await aCloud();
  const { client } = cloud.tenant;
  const staging = await addEnvironment(client, 'staging');
  const config = { 'agentmark.json': '{"a":1}', 'agentmark/rows.jsonl': '{"input":1}\n', 'README.md': 'x', 'agentmark/b.mdx': 'b' };
  const first = await pushFiles('c1', { ...config, [at]: refund('gpt-4o', 'Be kind.') });
  const changesTo = async (deployment_id?: string) =>
    (await client.viewerReleases.changes({ params: { id: staging.id }, query: deployment_id === undefined ? {} : { deployment_id } })).data;
  expect(await changesTo()).toEqual([]);
  expect(await changesTo(first.id)).toEqual([
    { path: 'README.md', kind: 'component', change: 'added' },
    { path: 'agentmark.json', kind: 'config', change: 'added' },
    { path: 'agentmark/b.mdx', kind: 'component', change: 'added' },
    { path: 'agentmark/rows.jsonl', kind: 'dataset', change: 'added' },
    { path: at, kind: 'prompt', change: 'added' },
  ]);
  await client.environments.promote({ params: { id: staging.id }, body: { source_deployment_id: first.id } });
  expect(await changesTo(first.id)).toEqual([]);

  const long = 'x'.repeat(300_000);
  const second = await pushFiles('c2', { 'agentmark.json': '{"a":1}', 'agentmark/rows.jsonl': long, [at]: refund('gpt-5', 'Be brief.') });
  expect((await changesTo(second.id)).map(({ path: changedPath, change }) => `${changedPath} ${change}`)).toEqual([
    'README.md removed',
    'agentmark/b.mdx removed',
    'agentmark/rows.jsonl changed',
    `${at} changed`,
  ]);
  const fileOf = async (file: string) =>
    (await client.viewerReleases.file({ params: { id: staging.id }, query: { deployment_id: second.id, path: file } })).data;
  expect(await fileOf(at)).toEqual({
    path: at,
    before: { text: refund('gpt-4o', 'Be kind.'), is_cut: false },
    after: { text: refund('gpt-5', 'Be brief.'), is_cut: false },
  });
  expect(await fileOf('README.md')).toMatchObject({ before: { text: 'x' }, after: null });
  const rows = await fileOf('agentmark/rows.jsonl');
  expect([rows.after?.is_cut, rows.after?.text.length]).toEqual([true, 256 * 1024]);
});

it('a folder is listed as it is now, without environments and without deployments', async () => {
  const project: ProjectTree = aProject({ 'agentmark.json': '{}' });
  const gateway: TestGateway = await startTestGateway({ projectDir: project.root });
  stops.push(
    () => project.remove(),
    () => gateway.stop(),
  );
  const { viewerPrompts } = gateway.client;
  expect((await viewerPrompts.list({})).data).toEqual({ source: { kind: 'folder', commit_sha: null }, prompts: [] });
  project.write(at, refund('gpt-4o', 'Be kind.'));
  project.write('agentmark/broken.prompt.mdx', '---\nname: [broken\n---\n<System>never closed\n');
  const { prompts } = (await viewerPrompts.list({})).data;
  expect(prompts).toEqual([
    { path: 'broken.prompt.mdx', name: null, kind: null, models: [], dataset: null, changed_at: expect.any(String), changed_by: null },
    {
      ...{ path, name: 'refund', kind: 'text', models: ['gpt-4o'], dataset: './refunds.jsonl' },
      ...{ changed_at: expect.any(String), changed_by: null },
    },
  ]);
  expect((await viewerPrompts.text({ query: { path } })).data.text).toBe(refund('gpt-4o', 'Be kind.'));
  expect((await viewerPrompts.versions({ query: { path } })).data).toEqual([]);
  expect(await codeOf(viewerPrompts.list({ query: { environment: 'staging' } }))).toBe('404 environment_not_found');
  expect(await codeOf(viewerPrompts.tree({ query: { path: 'broken.prompt.mdx' } }))).toBe('400 template_parse_error');
});
