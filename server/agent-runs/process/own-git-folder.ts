/**
 * Agents can write all of a repository: its configuration, hooks and attributes. So git of the gateway never works in the repository's own git
 * folder, but in one that is laid out anew for each piece of work: with a configuration from here, without hooks, and with links to where the
 * repository keeps its commits and its branches. A filter, a diff or merge driver, a monitor or an include that a repository names is then one
 * that nobody has heard of, and git does without.
 */
import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { git } from './git.ts';

/** What is taken over from the configuration of a repository: how its files are stored. None of it names a program. */
const taken: Readonly<Record<string, RegExp>> = {
  'extensions.objectformat': /^sha(1|256)$/,
  'core.sharedrepository': /^(true|false|umask|group|all|world|everybody|0[0-7]{3})$/,
  'core.filemode': /^(true|false)$/,
  'core.symlinks': /^(true|false)$/,
  'core.autocrlf': /^(true|false|input)$/,
};

const head = /^(ref: refs\/[^\s]+|[0-9a-f]{40,64})\s*$/;
const textBytesMax = 4096;

/**
 * Makes a git folder over a repository, or makes one anew; only its index stays. Commits and branches that git makes there are the repository's.
 * @param folder of the gateway
 * @param repository its git folder
 */
export async function layOutGitFolder(folder: string, repository: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const old = (await readdir(folder)).filter((name) => name !== 'index');
  await Promise.all(old.map((name) => rm(join(folder, name), { recursive: true, force: true })));
  for (const made of [join(folder, 'info'), join(folder, 'logs'), join(repository, 'logs/refs')]) await mkdir(made, { recursive: true });
  const shared = ['objects', 'refs', 'packed-refs', 'logs/refs', 'info/exclude', 'info/attributes'];
  // A repository is a shallow one if there is such a file, even if it leads nowhere.
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
  // One that cannot be read says nothing.
  const listed = await git({ gitDir: folder }, listing).catch(() => '');
  const said = new Map(listed.split('\0').map((entry) => entry.split('\n', 2) as [string, string]));
  const kept = Object.entries(taken).flatMap(([name, pattern]) => {
    const value = said.get(name);
    if (value === undefined || !pattern.test(value)) return [];
    const [section, key] = name.split('.');
    return [`[${section}]\n\t${key} = ${value}\n`];
  });
  // The version in which extensions count.
  return `[core]\n\trepositoryformatversion = 1\n\tbare = false\n${kept.join('')}`;
}

/** The text of a file that may be anything, a pipe that nobody writes to included; null where it is no file of that size. */
export async function smallFile(path: string, bytesMax: number): Promise<string | null> {
  const found = await stat(path).catch(() => null);
  return found?.isFile() && found.size <= bytesMax ? readFile(path, 'utf8').catch(() => null) : null;
}
