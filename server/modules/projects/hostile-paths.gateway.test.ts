/** Whatever a name is made of, nothing outside the project is read, created or changed. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aProject } from '../../fixtures/project-tree.ts';
import { startTestGateway, type TestGateway } from '../../fixtures/test-gateway.ts';

const canary = 'CANARY-7f3a';
const project = aProject({ 'agentmark.json': '{}', 'agentmark/fine.mdx': 'fine', 'agentmark/sub/fine.jsonl': '{"input":1}\n' });
const { around, root } = project;
let gateway: TestGateway;

beforeAll(async () => {
  mkdirSync(join(around, 'outside'));
  for (const name of [
    'secret.mdx',
    'secret.jsonl',
    'secret.prompt.mdx',
    'outside/secret.mdx',
    'outside/secret.jsonl',
    'project/root.jsonl',
  ])
    writeFileSync(join(around, name), `{"input":"${canary}"}\n`);
  writeFileSync(join(around, 'project/root.mdx'), canary);
  const agentmark = join(root, 'agentmark');
  symlinkSync(join(around, 'outside'), join(agentmark, 'linked'));
  symlinkSync(join(around, 'secret.mdx'), join(agentmark, 'linked.mdx'));
  symlinkSync(join(around, 'secret.jsonl'), join(agentmark, 'linked.jsonl'));
  symlinkSync(join(around, 'secret.prompt.mdx'), join(agentmark, 'linked.prompt.mdx'));
  symlinkSync(join(around, 'created.jsonl'), join(agentmark, 'dangling.jsonl'));
  symlinkSync(join(around, 'new-folder'), join(agentmark, 'dangling'));
  symlinkSync('../..', join(agentmark, 'up'));
  symlinkSync('loop', join(agentmark, 'loop'));
  execFileSync('mkfifo', [join(agentmark, 'pipe.jsonl'), join(agentmark, 'pipe.mdx'), join(agentmark, 'pipe.prompt.mdx')]);
  gateway = await startTestGateway({ projectDir: root });
});

afterAll(async () => {
  await gateway.stop();
  project.remove();
});

const dots = [
  '../..',
  '.',
  '...',
  '.. ',
  '..;',
  '．．',
  '‥',
  '%2e%2e',
  '%252e%252e',
  '..%00',
  '..%c0%af',
  '\u2024\u2024',
  '..\u202e',
  '.%2e',
];
const slashes = ['/', '\\', '//', '%2f', '%5c', '%252f', '／', '∕', '⁄', '\u29f8', '/./', '%c0%af', '\\/', ':'];
const stems = ['secret', 'root'];
const climbing = dots.flatMap((dot) => slashes.flatMap((slash) => stems.map((stem) => `${dot}${slash}${stem}`)));
const deep = [2, 3, 8, 20].flatMap((depth) => ['../../', '..\\', '%2e%2e%2f'].map((step) => `${step.repeat(depth)}etc/passwd`));
const absolute = [
  `${around}/secret`,
  '/etc/passwd',
  '//etc/passwd',
  '\\\\host\\share\\x',
  '//host/share/x',
  'C:\\x',
  'C:/x',
  'C:x',
  '~/x',
  'file:///etc/x',
  '\\\\?\\C:\\x',
  '\\\\.\\pipe\\x',
];
const linkedPaths = [
  'linked/secret',
  'linked',
  'dangling',
  'dangling/x',
  'dangling/deep/x',
  'up/root',
  'up/created',
  'up/../secret',
  'sub/../../secret',
  'loop/x',
  'loop',
  'linked/new',
  'pipe',
  'sub/up',
];
const devices = ['con', 'NUL', 'aux.x', 'COM1', 'lpt9', 'COM¹', 'conin$', 'sub/nul', 'nul ', 'prn.', 'CLOCK$'];
const oddNames = [
  '',
  ' ',
  'x\0',
  'x\0/../../secret',
  'x\n',
  'x\u007f',
  '\ud800',
  'x::$DATA',
  'x:stream',
  'a//b',
  '/',
  '../',
  'a/',
  'a/./b',
  'a/..',
  '*',
  '?',
  'x|y',
  'x<y',
  '"',
  'é'.repeat(150),
  'a/'.repeat(120),
  'x'.repeat(5000),
  'ｆｉｎｅ/../x',
  'x.',
  'x ',
  '\u202ex',
];
const names = [...new Set([...climbing, ...deep, ...absolute, ...linkedPaths, ...devices, ...oddNames])];

/** Everything in and around the project except datasets: paths, sizes, modification times and content. */
function snapshotOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (path === join(root, 'agentmark')) return [];
    if (entry.isDirectory()) return [path, ...snapshotOf(path)];
    const { size, mtimeNs } = statSync(path, { bigint: true });
    return [`${path} ${size} ${mtimeNs} ${readFileSync(path, 'latin1')}`];
  });
}

const encodeAll = (name: string): string => [...Buffer.from(name)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

/** Each name as it is (for what is encoded already) and with every byte encoded, as clients encode any text. */
const spellings = (name: string): string[] => [encodeAll(name), ...(/^[!-~]+$/.test(name) && !/[?#/\\]/.test(name) ? [name] : [])];

async function ask(path: string, body?: object): Promise<{ status: number; text: string }> {
  const init = body && { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
  const response = await gateway.fetch(path, { ...init, signal: AbortSignal.timeout(120_000) });
  return { status: response.status, text: await response.text() };
}

it(`${names.length} hostile names on every route that takes one: nothing outside is read, created or changed, and nothing hangs`, async () => {
  expect(names.length).toBeGreaterThan(200);
  const before = snapshotOf(around);
  for (const name of names) {
    for (const encoded of spellings(name)) {
      const answers = await Promise.all([
        ...['', '.mdx', '.jsonl', '.prompt.mdx'].map((suffix) => ask(`/v1/templates?path=${encoded}${suffix}`)),
        ask(`/v1/prompts?name=${encoded}`),
        ask(`/v1/datasets?name=${encoded}`),
        ask(`/v1/score-configs/${encoded}`),
        ask(`/v1/experiments/${encoded}`),
        ask(`/v1/experiments?dataset_path=${encoded}&prompt_name=${encoded}`),
        ask(`/v1/datasets/${encoded}/rows`, { input: canary.slice(0, 6) }),
        ask(`/v1/datasets/${encoded}/rows/from-traces`, { trace_ids: ['ab'.repeat(16)] }),
        ask(`/v1/datasets/${encoded}/rows/from-spans`, { span_ids: ['ab'.repeat(8)] }),
      ]);
      for (const { status, text } of answers) {
        expect(status, `${JSON.stringify(name)} ${text}`).not.toBe(500);
        expect(text, name).not.toContain(canary);
      }
    }
  }
  expect(snapshotOf(around)).toEqual(before);
});

it('none of them is read through an import of a template', async () => {
  const before = snapshotOf(around);
  for (const name of names) {
    const imports = [name, `./${name}`, `../${name}`];
    const answers = imports.map((from, index) => {
      project.write(`agentmark/sub/importer-${index}.mdx`, `import X from '${from}.mdx'\nimport Y from "${from}"\n\n<X/><Y/>\n`);
      return ask(`/v1/templates?path=sub/importer-${index}.mdx`);
    });
    for (const { status, text } of await Promise.all(answers)) {
      expect([400, 403], `${JSON.stringify(name)} ${text}`).toContain(status);
      expect(text, name).not.toContain(canary);
    }
  }
  expect(snapshotOf(around)).toEqual(before);
});

it('the lists contain only what is inside the project', async () => {
  expect(JSON.parse((await ask('/v1/prompts')).text)).toEqual({ data: { paths: [] } });
  const { data } = JSON.parse((await ask('/v1/datasets?limit=1000')).text) as { data: { name: string }[] };
  expect(data.map(({ name }) => name)).toEqual(['loop.jsonl', 'sub/fine.jsonl', 'sub/up.jsonl', '~/x.jsonl']);
});
