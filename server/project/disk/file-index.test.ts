import { readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { aProject, type ProjectTree } from '../../fixtures/project-tree.ts';
import { silentLog } from '../../platform/log.ts';
import { localScope } from '../../platform/scope.ts';
import { DiskProject } from './disk-project.ts';
import { FileCache, isSettled } from './file-cache.ts';
import { FileIndex } from './file-index.ts';
import { FolderWatch } from './folder-watch.ts';

const trees: ProjectTree[] = [];
const closing: { close(): void }[] = [];
afterEach(() => {
  for (const resource of closing.splice(0)) resource.close();
  for (const tree of trees.splice(0)) tree.remove();
});

function tree(files: Record<string, string> = {}): ProjectTree {
  const project = aProject(files);
  trees.push(project);
  return project;
}

/** Waits until the last change of a file is old enough for it to be cached. */
const settled = (path: string) => expect.poll(() => isSettled(statSync(path, { bigint: true }), Date.now())).toBe(true);

describe('the index', () => {
  it('a list that is requested while another is being built includes the changes in between', async () => {
    const { root, write } = tree({ 'agentmark/a/b/x.jsonl': '', 'agentmark/c/x.jsonl': '' });
    const index = new FileIndex();
    const at = { project: root, folder: join(root, 'agentmark') };
    for (let round = 0; round < 150; round++) {
      const first = index.list(at, '.jsonl');
      for (let turn = 0; turn < round % 8; turn++) await setImmediate();
      write(`agentmark/${round % 2 === 0 ? 'new' : 'a/b/new'}-${round}.jsonl`, '');
      expect(
        (await index.list(at, '.jsonl')).filter((name) => name.includes(`new-${round}.`)),
        `round ${round}`,
      ).toHaveLength(1);
      await first;
    }
  });
});

describe('content read from a file', () => {
  it('is cached while the file is unchanged, and read again when it changes', async () => {
    const { root, write } = tree({ 'a.txt': 'one' });
    let reads = 0;
    const texts = new FileCache(async (file) => {
      reads++;
      return file.readFile('utf8');
    });
    const place = { root, parts: ['a.txt'] };
    await settled(join(root, 'a.txt'));
    for (let turn = 0; turn < 5; turn++) expect(await texts.of(place)).toBe('one');
    expect(reads).toBe(1);
    write('a.txt', 'two');
    expect(await texts.of(place)).toBe('two');
    write('b.txt', 'six');
    renameSync(join(root, 'b.txt'), join(root, 'a.txt'));
    expect(await texts.of(place)).toBe('six');
    rmSync(join(root, 'a.txt'));
    expect(await texts.of(place)).toBeNull();
  });

  it('is not cached within the clock tick in which the file changed, whatever the resolution of the file system', () => {
    const at = (ns: bigint) => ({ mtimeNs: ns, ctimeNs: ns }) as Parameters<typeof isSettled>[0];
    expect([10, 99, 101].map((ms) => isSettled(at(1_000_000_000_123n), 1_000_000 + ms))).toEqual([false, false, true]);
    expect([101, 2_000, 3_001].map((ms) => isSettled(at(1_000_000_000_000n), 1_000_000 + ms))).toEqual([false, false, true]);
    expect(isSettled(at(2_000_000_000_123n), 1_000_000)).toBe(false);
  });
});

describe('the watch', () => {
  const id = (path: string) => String(statSync(path).ino);

  it('reports a thousand changes in a few calls, and continues to report', async () => {
    const { root, write } = tree();
    let calls = 0;
    let onReport: () => void = () => {};
    const watch = new FolderWatch(
      async () => {
        calls++;
        onReport();
      },
      () => {},
    );
    closing.push(watch);
    watch.follow(new Map([[root, id(root)]]));
    const next = () => new Promise<void>((resolve) => (onReport = resolve));
    const first = next();
    for (let index = 0; index < 1_000; index++) write(`f${index % 10}.txt`, String(index));
    await first;
    expect(calls).toBeLessThan(5);
    const second = next();
    renameSync(join(root, 'f0.txt'), join(root, 'g.txt'));
    await second;
  });

  it('a folder that replaced another is watched as well', async () => {
    const { root, write } = tree({ 'a/x.txt': '', 'b/x.txt': '' });
    const a = join(root, 'a');
    await new Promise<void>((resolve) => {
      const watch = new FolderWatch(
        async () => resolve(),
        () => {},
      );
      closing.push(watch);
      watch.follow(new Map([[a, id(a)]]));
      renameSync(a, join(root, 'old'));
      renameSync(join(root, 'b'), a);
      watch.follow(new Map([[a, id(a)]]));
      write('a/y.txt', '');
    });
  });

  it('on a system that cannot watch folders this is tried once, and answers stay current without', async () => {
    const failures: string[] = [];
    const watch = new FolderWatch(
      async () => {},
      (code) => failures.push(code),
    );
    watch.follow(
      new Map([
        ['\0', ''],
        ['\0\0', ''],
      ]),
    );
    watch.follow(new Map([['\0', '']]));
    expect(failures).toEqual(['ERR_INVALID_ARG_VALUE']);

    const { root, write } = tree({ 'agentmark/a.jsonl': '1\n' });
    const project = new DiskProject(root, silentLog);
    project.close();
    await settled(join(root, 'agentmark/a.jsonl'));
    const rows = async () => (await project.datasets(localScope)).map(({ name, row_count }) => [name, row_count]);
    expect(await rows()).toEqual([['a.jsonl', 1]]);
    write('agentmark/a.jsonl', '1\n2\n');
    write('agentmark/b.jsonl', '');
    expect(await rows()).toEqual([
      ['a.jsonl', 2],
      ['b.jsonl', 0],
    ]);
  });
});

it('another project is served from the next call on; calls in progress finish in the first one', async () => {
  const [first, second] = [tree({ 'agentmark/a.jsonl': '1\n' }), tree({ 'agentmark/a.jsonl': '1\n2\n', 'agentmark/b.jsonl': '' })];
  const project = new DiskProject(first.root, silentLog);
  closing.push(project);
  const rows = async () => (await project.datasets(localScope)).map(({ name, row_count }) => [name, row_count]);
  expect(await rows()).toEqual([['a.jsonl', 1]]);
  const [before, appended] = [rows(), project.append(localScope, 'a', ['{}'])];
  project.open(second.root);
  const after = rows();
  expect(await appended).toBe(1);
  expect([(await before).length, await after]).toEqual([
    1,
    [
      ['a.jsonl', 2],
      ['b.jsonl', 0],
    ],
  ]);
  expect(readFileSync(join(first.root, 'agentmark/a.jsonl'), 'utf8')).toBe('1\n{}\n');
});
