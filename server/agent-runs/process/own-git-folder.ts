/**
 * Agents can write everything in a repository: its configuration, hooks and attributes. So the gateway's git never uses the repository's own
 * git folder, but a fresh one for each operation: with our configuration, without hooks, and with links to the objects and refs of the
 * repository. Filters, diff and merge drivers, monitors and includes named by a repository are then undefined, and git ignores them.
 */
import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { git } from './git.ts';

/** Settings copied from a repository: how its files are stored. None names a program. */
const copiedSettings: Readonly<Record<string, RegExp>> = {
  'extensions.objectformat': /^sha(1|256)$/,
  'core.sharedrepository': /^(true|false|umask|group|all|world|everybody|0[0-7]{3})$/,
  'core.filemode': /^(true|false)$/,
  'core.symlinks': /^(true|false)$/,
  'core.autocrlf': /^(true|false|input)$/,
};

const head = /^(ref: refs\/[^\s]+|[0-9a-f]{40,64})\s*$/;
const textBytesMax = 4096;

/**
 * Creates a git folder over a repository, or recreates it except for its index. Commits and branches made there belong to the repository.
 * @param folder folder of the gateway
 * @param repository its git folder
 */
export async function layOutGitFolder(folder: string, repository: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const old = (await readdir(folder)).filter((name) => name !== 'index');
  await Promise.all(old.map((name) => rm(join(folder, name), { recursive: true, force: true })));
  for (const path of [join(folder, 'info'), join(folder, 'logs'), join(repository, 'logs/refs')]) await mkdir(path, { recursive: true });
  const shared = ['objects', 'refs', 'packed-refs', 'logs/refs', 'info/exclude', 'info/attributes'];
  // A repository is shallow when this file exists, even as a broken link.
  if ((await smallFile(join(repository, 'shallow'), Number.POSITIVE_INFINITY)) !== null) shared.push('shallow');
  await Promise.all(shared.map((part) => symlink(join(repository, part), join(folder, part))));
  const pointer = await smallFile(join(repository, 'HEAD'), textBytesMax);
  if (pointer === null || !head.test(pointer)) throw new Error('The repository has no HEAD');
  await writeFile(join(folder, 'HEAD'), pointer);
  await writeFile(join(folder, 'config'), '');
  await writeFile(join(folder, 'config'), await configuration(folder, repository));
}

async function configuration(folder: string, repository: string): Promise<string> {
  const listing = ['config', '--file', join(repository, 'config'), '--no-includes', '--null', '--list'];
  // An unreadable configuration is ignored.
  const listed = await git({ gitDir: folder }, listing).catch(() => '');
  const configured = new Map(listed.split('\0').map((entry) => entry.split('\n', 2) as [string, string]));
  const sections = Object.entries(copiedSettings).flatMap(([name, pattern]) => {
    const value = configured.get(name);
    if (value === undefined || !pattern.test(value)) return [];
    const [section, key] = name.split('.');
    return [`[${section}]\n\t${key} = ${value}\n`];
  });
  // Extensions need version 1.
  return `[core]\n\trepositoryformatversion = 1\n\tbare = false\n${sections.join('')}`;
}

/** Text of a path that may be anything, even a pipe without a writer; null unless it is a file within the size. */
export async function smallFile(path: string, bytesMax: number): Promise<string | null> {
  const found = await stat(path).catch(() => null);
  return found?.isFile() && found.size <= bytesMax ? readFile(path, 'utf8').catch(() => null) : null;
}
