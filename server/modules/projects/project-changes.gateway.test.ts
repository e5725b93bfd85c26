/** An answer about the project's files is correct at the time of its request, however they change and however fast. */
import { mkdirSync, mkdtempSync, renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { contractClient } from '../../fixtures/contract-client.ts';
import { aProject } from '../../fixtures/project-tree.ts';
import { startTestGateway, type TestGateway } from '../../fixtures/test-gateway.ts';

const project = aProject({ 'agentmark.json': '{}' });
const at = (path: string) => join(project.root, 'agentmark', path);
const prompt = (name: string) => `---\nname: ${name}\n---\nHi\n`;
const write = (path: string, text: string) => project.write(`agentmark/${path}`, text);
let gateway: TestGateway;
const { client } = contractClient(() => gateway);

beforeAll(async () => {
  gateway = await startTestGateway({ projectDir: project.root });
});

afterAll(async () => {
  await gateway.stop();
  project.remove();
});

const prompts = async (name?: string) => (await client.prompts.list({ query: name === undefined ? {} : { name } })).data.paths;
const rows = async () =>
  Object.fromEntries((await client.datasets.list({ query: { limit: 1000 } })).data.map(({ name, row_count }) => [name, row_count]));
const template = async (path: string) => JSON.stringify(await client.templates.get({ query: { path } }));

it('a file that is added, edited, renamed or removed is shown so in the next answer', async () => {
  expect(await prompts()).toEqual([]);
  write('a.prompt.mdx', prompt('one'));
  expect([await prompts(), await prompts('one')]).toEqual([['a.prompt.mdx'], ['a.prompt.mdx']]);
  write('a.prompt.mdx', prompt('two'));
  expect([await prompts('one'), await prompts('two')]).toEqual([[], ['a.prompt.mdx']]);
  renameSync(at('a.prompt.mdx'), at('b.prompt.mdx'));
  expect([await prompts(), await prompts('two')]).toEqual([['b.prompt.mdx'], ['b.prompt.mdx']]);
  rmSync(at('b.prompt.mdx'));
  expect([await prompts(), await prompts('two')]).toEqual([[], []]);
});

it('an edit with the same length and the same modification time is noticed each of 200 times', async () => {
  for (let index = 0; index < 200; index++) {
    const name = index % 2 === 0 ? 'left' : 'rite';
    write('quick.prompt.mdx', prompt(name));
    utimesSync(at('quick.prompt.mdx'), 1_000_000_000, 1_000_000_000);
    expect(await prompts(name), `edit ${index}`).toEqual(['quick.prompt.mdx']);
  }
  rmSync(at('quick.prompt.mdx'));
});

it('a file that was unchanged long enough to be cached is read again when it changes, even if its size and time do not', async () => {
  write('still.prompt.mdx', prompt('aaaa'));
  write('still.jsonl', '{"input":1}\n{"input":2}\n');
  const { mtime } = statSync(at('still.prompt.mdx'));
  // Until the file is old enough to be cached, so that the next request could be answered from memory.
  await expect.poll(() => Date.now() - mtime.getTime()).toBeGreaterThan(150);
  expect([await prompts('aaaa'), await rows()]).toEqual([['still.prompt.mdx'], { 'still.jsonl': 2 }]);
  write('still.prompt.mdx', prompt('bbbb'));
  utimesSync(at('still.prompt.mdx'), mtime, mtime);
  write('still.jsonl', '{"input":1} {"input":2} \n');
  utimesSync(at('still.jsonl'), mtime, mtime);
  expect([await prompts('aaaa'), await prompts('bbbb'), await rows()]).toEqual([[], ['still.prompt.mdx'], { 'still.jsonl': 1 }]);
});

it('an editor that saves by renaming a new file over the old one is noticed each time', async () => {
  for (let index = 0; index < 50; index++) {
    write('.still.prompt.mdx.swp', prompt(`save${index % 10}`));
    renameSync(at('.still.prompt.mdx.swp'), at('still.prompt.mdx'));
    expect(await prompts(`save${index % 10}`)).toEqual(['still.prompt.mdx']);
  }
  write('part.mdx', 'old');
  write('main.mdx', "import Part from './part.mdx'\n\n<Part/>\n");
  expect(await template('main.mdx')).toContain('old');
  write('.part', 'new');
  renameSync(at('.part'), at('part.mdx'));
  expect(await template('main.mdx')).toContain('new');
});

it('a folder that is moved, replaced or removed takes its files with it', async () => {
  write('x/deep/c.prompt.mdx', prompt('c'));
  write('x/deep/d.jsonl', '{"input":1}\n');
  expect(await prompts('c')).toEqual(['x/deep/c.prompt.mdx']);
  renameSync(at('x'), at('y'));
  expect([await prompts('c'), (await rows())['y/deep/d.jsonl']]).toEqual([['y/deep/c.prompt.mdx'], 1]);
  renameSync(at('y/deep'), at('moved'));
  write('y/deep/e.prompt.mdx', prompt('c'));
  expect(await prompts('c')).toEqual(['moved/c.prompt.mdx', 'y/deep/e.prompt.mdx']);
  rmSync(at('y'), { recursive: true });
  rmSync(at('moved'), { recursive: true });
  expect(await prompts('c')).toEqual([]);
});

it('links to the outside, hidden folders, packages and files that are too deep do not belong to the project', async () => {
  const outside = mkdtempSync(join(project.around, 'outside-'));
  writeFileSync(join(outside, 'z.prompt.mdx'), prompt('z'));
  symlinkSync(outside, at('out'));
  symlinkSync(join(outside, 'z.prompt.mdx'), at('z.prompt.mdx'));
  for (const folder of ['node_modules/pkg', '.git/objects', 'a/node_modules/b', 'a/.cache']) write(`${folder}/z.prompt.mdx`, prompt('z'));
  write(`${'d/'.repeat(40)}z.prompt.mdx`, prompt('z'));
  expect(await prompts('z')).toEqual([]);
  // A file becomes a link between two answers.
  write('swap.prompt.mdx', prompt('swap'));
  expect(await prompts('swap')).toEqual(['swap.prompt.mdx']);
  rmSync(at('swap.prompt.mdx'));
  symlinkSync(join(outside, 'z.prompt.mdx'), at('swap.prompt.mdx'));
  expect([await prompts('swap'), await prompts('z')]).toEqual([[], []]);
});

it('a thousand changes at once are all in the next answer, and so are a thousand more', async () => {
  const paths = Array.from({ length: 1_000 }, (_, index) => `burst/${index % 20}/p${index}.prompt.mdx`);
  for (const path of paths) write(path, prompt('burst'));
  expect(new Set(await prompts('burst'))).toEqual(new Set(paths));
  for (const path of paths) write(path, prompt('after'));
  const answers = await Promise.all(Array.from({ length: 5 }, () => prompts('after')));
  for (const answer of answers) expect(answer).toHaveLength(1_000);
  expect(await prompts('burst')).toEqual([]);
  rmSync(at('burst'), { recursive: true });
  expect(await prompts('after')).toEqual([]);
});

it('the folder of templates may appear later, disappear, or be replaced', async () => {
  const later = aProject();
  const other = await startTestGateway({ projectDir: later.root });
  const paths = async () => (await other.client.prompts.list({ query: {} })).data.paths;
  try {
    expect(await paths()).toEqual([]);
    later.write('agentmark/a.prompt.mdx', prompt('a'));
    expect(await paths()).toEqual(['a.prompt.mdx']);
    const a = async () => JSON.stringify(await other.client.templates.get({ query: { path: 'a.prompt.mdx' } }));
    expect(await a()).not.toContain('commit_sha');
    later.write('.git/HEAD', 'ab'.repeat(20));
    expect(await a()).toContain(`commit_sha: ${'ab'.repeat(20)}`);
    later.write('ai/agentmark/b.prompt.mdx', prompt('b'));
    later.write('agentmark.json', '{"agentmarkPath":"ai"}');
    expect(await paths()).toEqual(['b.prompt.mdx']);
    rmSync(later.root, { recursive: true });
    expect(await paths()).toEqual([]);
    mkdirSync(later.root);
    later.write('agentmark/c.prompt.mdx', prompt('c'));
    expect(await paths()).toEqual(['c.prompt.mdx']);
  } finally {
    await other.stop();
    later.remove();
  }
});
