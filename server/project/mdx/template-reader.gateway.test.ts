/** The thread that parses templates: its limits, its cache, and its fairness between tenants. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { localScope, type Scope } from '../../platform/scope.ts';
import type { ProjectFiles } from '../project-files.ts';
import { filesOf, TemplateReader } from './template-reader.ts';

const slow = '**a'.repeat(20_000);
let reader: TemplateReader;
beforeEach(() => {
  reader = new TemplateReader(new URL('../../entry/thread.ts', import.meta.url));
});
afterEach(() => reader.stop());

/** A project of these files, which may be changed; the paths that are read are added to `reads`. */
function aProject(files: Record<string, string>, reads: string[] = []): ProjectFiles {
  const text = async (_: Scope, path: string) => {
    reads.push(path);
    return files[path] ?? null;
  };
  return { text, commit: async () => null } as unknown as ProjectFiles;
}

const read = async (project: ProjectFiles, path: string, scope = localScope) =>
  JSON.parse((await reader.read(scope, filesOf(project, scope), path)) ?? 'null');
const texts = (value: string) => ({ children: [{ type: 'paragraph', children: [{ type: 'text', value }] }] });

it('the tree is that of the current files', async () => {
  const files: Record<string, string> = { 'a.mdx': 'import B from "b.mdx"\n\n<B/>', 'b.mdx': 'one' };
  const project = aProject(files);
  expect(await read(project, 'a.mdx')).toMatchObject(texts('one'));
  files['b.mdx'] = 'two';
  expect(await read(project, 'a.mdx')).toMatchObject(texts('two'));
  delete files['b.mdx'];
  await expect(read(project, 'a.mdx')).rejects.toThrow(/does not exist/);
  files['b.mdx'] = 'one';
  expect(await read(project, 'a.mdx')).toMatchObject(texts('one'));
  expect(await reader.read(localScope, filesOf(project, localScope), 'missing.mdx')).toBeNull();
});

it('a text that takes too long is refused, whether the thread is new or not', async () => {
  const project = aProject({ 'slow.mdx': slow, 'slower.mdx': `${slow}**a`, 'fine.mdx': 'fine' });
  await expect(read(project, 'slow.mdx')).rejects.toThrow(/more time or memory/);
  expect(await read(project, 'fine.mdx')).toMatchObject(texts('fine'));
  await expect(read(project, 'slower.mdx')).rejects.toThrow(/more time or memory/);
  expect(await read(project, 'fine.mdx')).toMatchObject(texts('fine'));
});

it('a slow imported text fails only the files that import it', async () => {
  const project = aProject({ 'a.mdx': 'import S from "slow.mdx"\n\n<S/>', 'slow.mdx': slow, 'fine.mdx': 'fine' });
  const [refused, fine] = await Promise.allSettled([read(project, 'a.mdx'), read(project, 'fine.mdx')]);
  expect(refused).toMatchObject({ status: 'rejected', reason: { message: expect.stringMatching(/more time or memory/) } });
  expect(fine).toMatchObject({ status: 'fulfilled', value: texts('fine') });
});

it('a tenant with many slow texts delays only itself', async () => {
  const many = aProject(Object.fromEntries(Array.from({ length: 5 }, (_, index) => [`${index}.mdx`, slow.concat(String(index))])));
  const [slowTenant, otherTenant] = ['one', 'other'].map((tenant_id) => ({ ...localScope, tenant_id })) as [Scope, Scope];
  const ended: string[] = [];
  const slowReads = Array.from({ length: 5 }, (_, index) => read(many, `${index}.mdx`, slowTenant).catch(() => ended.push('slow')));
  const fine = read(aProject({ 'fine.mdx': 'fine' }), 'fine.mdx', otherTenant).then(() => ended.push('fine'));
  await Promise.all([...slowReads, fine]);
  // After the text in progress and the one queued before it, before all others.
  expect(ended.indexOf('fine')).toBeLessThanOrEqual(2);
});
