import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { type GitPlace, git } from './git.ts';

/** Of every file in a repository. */
const listBytesMax = 256 * 1024 * 1024;

/**
 * Brings the index to what is in the files. Git would look whether submodules changed with a git of their own in each, under a configuration
 * that an agent can have written. So they are not in the index while it looks: repositories that it finds then it takes as they stand, and
 * submodules that nobody filled stay what they were.
 */
export async function addAll(place: Required<GitPlace>): Promise<void> {
  const submodules = await submodulesIn(place);
  const paths = submodules.map(({ path }) => `${path}\0`).join('');
  if (paths !== '') await git(place, ['update-index', '--force-remove', '-z', '--stdin'], paths);
  await git(place, ['add', '--all']);
  for (const { path, commit } of submodules)
    if ((await isFolder(join(place.workTree, path))) && !(await isThere(join(place.workTree, path, '.git'))))
      await git(place, ['update-index', '--add', '--replace', '--cacheinfo', `160000,${commit},${path}`]);
}

/** `160000 COMMIT 0\tpath` of each. */
async function submodulesIn(place: GitPlace): Promise<{ commit: string; path: string }[]> {
  const listed = await git(place, ['ls-files', '--stage', '-z'], '', listBytesMax);
  return listed.split('\0').flatMap((entry) => {
    const [, commit = '', path = ''] = /^160000 (\S+) \d\t(.*)$/s.exec(entry) ?? [];
    return path === '' ? [] : [{ commit, path }];
  });
}

const found = (path: string) => lstat(path).catch(() => null);
const isFolder = async (path: string): Promise<boolean> => (await found(path))?.isDirectory() === true;
const isThere = async (path: string): Promise<boolean> => (await found(path)) !== null;
