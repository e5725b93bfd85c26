import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { aProject, type ProjectTree } from '../../fixtures/project-tree.ts';
import { commitSha } from './commit-sha.ts';

const sha = 'ab'.repeat(20);
const trees: ProjectTree[] = [];
afterEach(() => {
  for (const tree of trees.splice(0)) tree.remove();
});

async function read(files: Record<string, string>, folder = '.'): Promise<string | null> {
  const tree = aProject(files);
  trees.push(tree);
  return commitSha(join(tree.root, folder));
}

it.each<[string, Record<string, string>, string?]>([
  ['a commit that is checked out without a branch', { '.git/HEAD': `${sha}\n` }],
  ['a branch', { '.git/HEAD': 'ref: refs/heads/a/b\n', '.git/refs/heads/a/b': `${sha}\n` }],
  [
    'a branch that git has packed',
    { '.git/HEAD': 'ref: refs/heads/m\n', '.git/packed-refs': `# pack-refs\n${'0'.repeat(40)} refs/heads/mm\n${sha} refs/heads/m\n^x\n` },
  ],
  [
    'a linked work tree',
    {
      'wt/.git': 'gitdir: ../main/.git/worktrees/wt\n',
      'main/.git/worktrees/wt/HEAD': 'ref: refs/heads/m',
      'main/.git/worktrees/wt/commondir': '../..\n',
      'main/.git/refs/heads/m': sha,
    },
    'wt',
  ],
  ['a folder deep in the repository', { '.git/HEAD': sha, 'a/b/c': '' }, 'a/b'],
])('%s', async (_, files, folder) => {
  expect(await read(files, folder)).toBe(sha);
});

it.each<[string, Record<string, string>]>([
  ['a repository without commits', { '.git/HEAD': 'ref: refs/heads/main\n' }],
  ['a reference with dot segments', { '.git/HEAD': 'ref: refs/../../secret\n', secret: sha }],
  ['a HEAD that is something else', { '.git/HEAD': 'hunter2\n' }],
  ['a .git that points to a file of another kind', { '.git': 'gitdir: /etc\n' }],
])('%s has none', async (_, files) => {
  expect(await read(files)).toBeNull();
});
