import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contractClient } from '../../fixtures/contract-client.ts';
import { aProject } from '../../fixtures/project-tree.ts';
import { startTestGateway, type TestGateway } from '../../fixtures/test-gateway.ts';
import { localScope } from '../../platform/scope.ts';
import type { ProjectFiles } from '../../project/project-files.ts';
import { promptsModule } from './prompts.ts';

const sha = '0123456789abcdef0123456789abcdef01234567';
const config = {
  version: '2.0',
  scores: {
    helpful: { type: 'boolean', description: 'Did it help?' },
    length: { type: 'numeric', min: 0, max: 10 },
    tone: { type: 'categorical', categories: [{ label: 'kind', value: 1 }, { label: '' }, 'x', { label: 'rude', value: 0 }] },
    none: { type: 'categorical', categories: [{ label: '', value: 1 }] },
    other: { type: 'stars' },
    broken: null,
  },
};
const project = aProject({
  'agentmark.json': JSON.stringify(config),
  '.git/HEAD': 'ref: refs/heads/main\n',
  '.git/refs/heads/main': `${sha}\n`,
  'src/deep/here.txt': '',
  'agentmark/support/triage.prompt.mdx':
    '---\nname: triage\ntext_config:\n  model_name: m\n---\n\n<System>Be kind to {props.name}</System>\n',
  'agentmark/b.prompt.mdx': '\ufeff---\r\nname: "triage" # the same\r\n---\r\nHi\r\n',
  'agentmark/a.prompt.mdx': '---\nname: other\n---\nprocess: {process.exit(1)}\n',
  'agentmark/open.prompt.mdx': '---\nname: triage\n',
  'agentmark/part.mdx': '# Part\n',
  'agentmark/bad.mdx': 'fine\n\n<Open>\n',
  'agentmark/latin.mdx': 'x',
  'agentmark/big.mdx': ' '.repeat(5 * 1024 * 1024 + 1),
  'agentmark/datasets/rows.jsonl': '\ufeff{"input":{"q":"owls"}}\r\n\r\n{"input":{"q":"猫"}}',
  'agentmark/datasets/broken.jsonl': '{"input":1}\nnope\n',
  'agentmark/templates/old.jsonl': '{"input":1}\n',
});
let gateway: TestGateway;
const { client, fetch, refusal, unseen } = contractClient(() => gateway);

/** The status and the whole error of a refused request. */
async function refusedGet(path: string, headers: Record<string, string> = {}): Promise<[status: number, error: unknown]> {
  const response = await fetch(path, { headers });
  return [response.status, (await response.json()).error];
}

beforeAll(async () => {
  writeFileSync(join(project.root, 'agentmark/latin.mdx'), Buffer.from([0x66, 0xff, 0xfe]));
  writeFileSync(join(project.around, 'secret.mdx'), 'secret');
  symlinkSync(join(project.around, 'secret.mdx'), join(project.root, 'agentmark/link.mdx'));
  symlinkSync(join(project.root, 'agentmark/part.mdx'), join(project.root, 'agentmark/inner.mdx'));
  mkdirSync(join(project.root, 'agentmark/folder.mdx'));
  gateway = await startTestGateway({ projectDir: join(project.root, 'src/deep') });
});

afterAll(async () => {
  await gateway.stop();
  project.remove();
});

const template = (path: string, rest = '') => `/v1/templates?path=${encodeURIComponent(path)}${rest}`;

describe('GET /v1/config and /v1/score-configs', () => {
  it('the project is found from a folder within it, with the commit that is checked out', async () => {
    expect(await client.config.get()).toEqual({ data: { commit_sha: sha, config } });
  });

  it('score configurations are the valid entries, by name', async () => {
    const common = { commit_sha: sha, source: 'project_file', archived: false };
    expect(await client.scoreConfigs.list({ query: {} })).toEqual({
      data: [
        { ...common, id: 'local:helpful', name: 'helpful', description: 'Did it help?', data_type: 'boolean' },
        { ...common, id: 'local:length', name: 'length', data_type: 'numeric', min: 0, max: 10 },
        {
          ...common,
          id: 'local:tone',
          name: 'tone',
          data_type: 'categorical',
          categories: [
            { label: 'kind', value: 1 },
            { label: 'rude', value: 0 },
          ],
        },
      ],
      pagination: { limit: 50, offset: 0, total: 3 },
    });
    expect((await client.scoreConfigs.list({ query: { limit: 1, offset: 1 } })).data.map(({ name }) => name)).toEqual(['length']);
    expect((await client.scoreConfigs.get({ params: { name: 'tone' } })).data.data_type).toBe('categorical');
    expect(await refusal('/v1/score-configs/none')).toMatchObject({ status: 404, code: 'score_config_not_found' });
    expect(await refusal('/v1/score-configs?limit=1001')).toMatchObject({ code: 'invalid_query_params' });
  });

  it('a change shows at once, whatever it is', async () => {
    project.write('service.json', '[1]');
    expect(await refusal('/v1/config')).toMatchObject({ status: 404, code: 'config_not_found' });
    expect((await client.scoreConfigs.list({ query: {} })).data).toEqual([]);
    project.write('service.json', '{\n  "a": 1,\n}');
    const broken = { code: 'invalid_project_file', path: 'service.json', line: 3, why: 'is not JSON from column 1 on' };
    for (const path of ['/v1/config', '/v1/score-configs', '/v1/score-configs/tone'])
      expect(await refusedGet(path)).toEqual([422, { ...broken, message: 'Line 3 of service.json is not JSON from column 1 on' }]);
    project.write('service.json', '{\n  "a": 1,\n');
    expect(await refusedGet('/v1/config')).toMatchObject([422, broken]);
    project.write('service.json', Buffer.from([0x7b, 0xff, 0x7d]));
    expect(await refusedGet('/v1/config')).toMatchObject([422, { code: 'invalid_project_file', path: 'service.json', line: 1 }]);
    project.write('service.json', '{"agentmarkPath":"./elsewhere"}');
    expect((await client.prompts.list({ query: {} })).data.paths).toEqual([]);
    project.write('service.json', '{"agentmarkPath":"../../.."}');
    expect(await refusal(template('part.mdx'))).toMatchObject({ status: 403, code: 'forbidden' });
    rmSync(join(project.root, 'service.json'));
  });
});

describe('GET /v1/prompts', () => {
  it('lists every prompt, or those whose front matter has the name', async () => {
    const paths = async (query: { name?: string }) => (await client.prompts.list({ query })).data.paths;
    expect(await paths({})).toEqual(['a.prompt.mdx', 'b.prompt.mdx', 'open.prompt.mdx', 'support/triage.prompt.mdx']);
    expect(await paths({ name: 'triage' })).toEqual(['b.prompt.mdx', 'support/triage.prompt.mdx']);
    expect(await paths({ name: 'Triage' })).toEqual([]);
    for (const name of ['', '%00', 'x'.repeat(256)]) expect(await refusal(`/v1/prompts?name=${name}`)).toMatchObject({ status: 400 });
  });

  it('a project that cannot be listed is queried by name only', async () => {
    const found: ProjectFiles['prompts'] = async () => [{ path: 'x.prompt.mdx', name: 'x' }];
    const cloud = { capabilities: { listing: false }, prompts: found } as unknown as ProjectFiles;
    const { list } = promptsModule.build({ project: cloud } as never);
    const ask = (query: object) => list?.({ scope: localScope } as never, { query } as never);
    await expect(ask({})).rejects.toMatchObject({ code: 'not_available_on_cloud' });
    expect(await ask({ name: 'x' })).toEqual({ data: { paths: ['x.prompt.mdx'] } });
  });
});

describe('GET /v1/templates', () => {
  it('a prompt is a tree whose front matter names the commit; expressions in braces are given as text and as ESTree', async () => {
    const query = { path: './support/triage.prompt.mdx', promptKind: 'text' as const };
    const inBraces = {
      type: 'mdxTextExpression',
      value: 'props.name',
      data: { estree: { body: [{ expression: { type: 'MemberExpression' } }] } },
    };
    expect(await client.templates.get({ query })).toMatchObject({
      data: {
        type: 'root',
        children: [
          { type: 'yaml', value: `name: triage\ntext_config:\n  model_name: m\nagentmark_meta:\n  commit_sha: ${sha}` },
          {
            type: 'paragraph',
            children: [{ type: 'mdxJsxTextElement', name: 'System', children: [{ type: 'text', value: 'Be kind to ' }, inBraces] }],
          },
        ],
      },
    });
    expect(JSON.stringify(await client.templates.get({ query: { path: 'a.prompt.mdx' } }))).toContain('process.exit(1)');
    expect(await client.templates.get({ query: { path: 'inner.mdx' } })).toMatchObject({ data: { children: [{ type: 'heading' }] } });
  });

  it('an import is replaced by its content; one that is broken, circular or outside the project is refused', async () => {
    project.write('agentmark/support/main.prompt.mdx', "import Part from '../part.mdx'\n\n<User>\n<Part/>\n</User>\n");
    expect(await client.templates.get({ query: { path: 'support/main.prompt.mdx' } })).toMatchObject({
      data: { children: [{ name: 'User', children: [{ type: 'heading', children: [{ value: 'Part' }] }] }] },
    });
    const importing = async (from: string) => {
      project.write('agentmark/support/main.prompt.mdx', `Hi\n\nimport Part from '${from}'\n`);
      const { error } = await (await fetch(template('support/main.prompt.mdx'))).json();
      return error;
    };
    expect(await importing('../bad.mdx')).toMatchObject({ code: 'template_parse_error', file: 'bad.mdx', line: 3, column: 1 });
    expect(await importing('./main.prompt.mdx')).toMatchObject({ code: 'template_parse_error', line: 3, column: 18 });
    expect(await importing('../../../secret.mdx')).toMatchObject({ code: 'forbidden' });
    expect(await importing('../link.mdx')).toMatchObject({ code: 'forbidden' });
    expect(await importing('../latin.mdx')).toMatchObject({ code: 'template_parse_error' });
    expect(await importing('../big.mdx')).toMatchObject({ code: 'payload_too_large' });
    rmSync(join(project.root, 'agentmark/support/main.prompt.mdx'));
  });

  it('a tag that no renderer knows is refused with its position; the requested kind determines which are known', async () => {
    const write = (config: string, body: string) =>
      project.write('agentmark/tags.prompt.mdx', `---\nname: tags\n${config}:\n  model_name: m\n---\n\n${body}\n`);
    const answer = async (kind = '') => {
      const { data, error } = await (await fetch(template('tags.prompt.mdx', kind && `&promptKind=${kind}`))).json();
      return data ? 'a tree' : error;
    };
    write('text_config', '<Human>\nHi\n</Human>');
    expect(await answer()).toEqual({
      code: 'template_parse_error',
      message:
        'Unknown tag <Human> in a text prompt, did you mean User? Known tags: Assistant, Else, ElseIf, FileAttachment, ForEach, If, ' +
        'ImageAttachment, Raw, System, User. Any other tag must be imported or begin with a lower-case letter (line 7, column 1)',
      line: 7,
      column: 1,
    });
    write('image_config', '<ImagePrompt>An owl</ImagePrompt>');
    expect([await answer(), await answer('image')]).toEqual(['a tree', 'a tree']);
    expect(await answer('text')).toMatchObject({ message: expect.stringMatching(/^Unknown tag <ImagePrompt> in a text prompt/) });
    expect(await answer('speech')).toMatchObject({
      message: expect.stringMatching(/^Unknown tag <ImagePrompt> in a speech prompt\. Known/),
    });
    expect(await answer('image')).toBe('a tree');
    rmSync(join(project.root, 'agentmark/tags.prompt.mdx'));
  });

  it('a dataset is a plain array, or lines for clients that accept them; a broken line is named', async () => {
    const path = 'datasets/rows.jsonl';
    const rows = [{ input: { q: 'owls' } }, { input: { q: '猫' } }];
    expect(await client.templates.get({ query: { path } })).toEqual(rows);
    const headers = { accept: 'application/x-ndjson' };
    const lines = await gateway.fetch(template(path), { headers });
    expect(lines.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    expect(await lines.text()).toBe('{"input":{"q":"owls"}}\n{"input":{"q":"猫"}}\n');
    expect(await (await fetch(template(path, '&format=json'), { headers })).json()).toEqual(rows);
    expect(await client.templates.get({ query: { path: 'anywhere/old.jsonl' } })).toEqual([{ input: 1 }]);
    const broken = { code: 'invalid_project_file', path: 'datasets/broken.jsonl', line: 2, why: expect.stringContaining('not JSON') };
    expect(await refusedGet(template('datasets/broken.jsonl'))).toMatchObject([422, broken]);
    expect(await refusedGet(template('datasets/broken.jsonl'), headers)).toMatchObject([422, broken]);
  });

  it.each(['part', 'part.MDX', '../secret.mdx', '/etc/x.mdx', 'a//b.mdx', 'a\\b.mdx', '%2e%2e/x.mdx', 'nul.mdx', '.mdx/../x.mdx'])(
    '%s is not a valid path',
    async (path) => {
      expect(await refusal(template(path))).toMatchObject({
        status: 400,
        code: 'invalid_query_params',
        details: { path: expect.any(String) },
      });
    },
  );

  it('says what is wrong with other requests', async () => {
    expect(await refusal('/v1/templates')).toMatchObject({ code: 'invalid_query_params' });
    expect(await refusal('/v1/templates?path=part.mdx&path=bad.mdx')).toMatchObject({ code: 'invalid_query_params' });
    expect(await refusal(template('part.mdx', '&promptKind=film'))).toMatchObject({ code: 'invalid_query_params' });
    expect(await refusal(template('missing.mdx'))).toMatchObject({ status: 404, code: 'template_not_found' });
    expect(await refusal(template('folder.mdx'))).toMatchObject({ status: 404, code: 'template_not_found' });
    expect(await refusal(template('part.mdx/x.mdx'))).toMatchObject({ status: 404, code: 'template_not_found' });
    expect(await refusal(template('link.mdx'))).toMatchObject({ status: 403, code: 'forbidden' });
    expect(await refusal(template('big.mdx'))).toMatchObject({ status: 413, code: 'payload_too_large' });
    expect(await refusal(template('latin.mdx'))).toMatchObject({ status: 400, code: 'template_parse_error' });
    const broken = await (await fetch(template('bad.mdx'))).json();
    expect(broken).toMatchObject({ error: { code: 'template_parse_error', line: 3, column: 1 } });
  });
});

it('every declared answer of these routes was received', () => {
  // This one belongs to a gateway that cannot list; its refusal is tested above.
  expect(unseen('config', 'scoreConfigs', 'prompts', 'templates')).toEqual(['list-prompts: not_available_on_cloud']);
});
