import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { type GitPlace, git } from './git.ts';

/** Limit for the list of all files in a repository. */
const listBytesMax = 256 * 1024 * 1024;

/**
 * Updates the index from the files. For each submodule, git would start another git with a configuration that the agent may have written. So
 * submodules are removed from the index first: nested repositories are added as they are, and uninitialised submodules stay unchanged.
 */
export async function addAll(place: Required<GitPlace>): Promise<void> {
  const submodules = await submodulesIn(place);
  const paths = submodules.map(({ path }) => `${path}\0`).join('');
  if (paths !== '') await git(place, ['update-index', '--force-remove', '-z', '--stdin'], paths);
  await git(place, ['add', '--all']);
  for (const { path, commit } of submodules)
    if ((await isFolder(join(place.workTree, path))) && !(await exists(join(place.workTree, path, '.git'))))
      await git(place, ['update-index', '--add', '--replace', '--cacheinfo', `160000,${commit},${path}`]);
}

/** Git lists each as `160000 COMMIT 0\tpath`. */
async function submodulesIn(place: GitPlace): Promise<{ commit: string; path: string }[]> {
  const listed = await git(place, ['ls-files', '--stage', '-z'], '', listBytesMax);
  return listed.split('\0').flatMap((entry) => {
    const [, commit = '', path = ''] = /^160000 (\S+) \d\t(.*)$/s.exec(entry) ?? [];
    return path === '' ? [] : [{ commit, path }];
  });
}

const statOf = (path: string) => lstat(path).catch(() => null);
const isFolder = async (path: string): Promise<boolean> => (await statOf(path))?.isDirectory() === true;
const exists = async (path: string): Promise<boolean> => (await statOf(path)) !== null;
