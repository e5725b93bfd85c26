/**
 * Reads the checked-out commit from git's own files: git itself would run programs named by the configuration. Returns only well-formed
 * commit ids, so a `.git` that points elsewhere reveals nothing.
 */
import { lstat, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

const commit = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const reference = /^refs\/(?!.*\.\.)[\w./@+-]+$/;
const bytesMax = 4 * 1024 * 1024;

/** Null outside a repository, in one without commits, and where references are stored in a format that is not supported. */
export async function commitSha(folder: string): Promise<string | null> {
  const git = await gitFolder(folder);
  if (git === null) return null;
  const head = (await readSmallFile(join(git, 'HEAD')))?.trim() ?? '';
  if (commit.test(head)) return head;
  const name = head.startsWith('ref: ') ? head.slice(5).trim() : '';
  if (!reference.test(name)) return null;
  // A linked work tree has its own HEAD, but shares its branches with the main one.
  const common = (await readSmallFile(join(git, 'commondir')))?.trim();
  for (const gitDir of common === undefined ? [git] : [git, resolve(git, common)]) {
    const loose = (await readSmallFile(join(gitDir, name)))?.trim() ?? '';
    if (commit.test(loose)) return loose;
    const packed = packedIn((await readSmallFile(join(gitDir, 'packed-refs'))) ?? '', name);
    if (packed !== null) return packed;
  }
  return null;
}

function packedIn(text: string, name: string): string | null {
  for (const line of text.split('\n')) {
    const [id = '', ref] = line.trimEnd().split(' ');
    if (ref === name && commit.test(id)) return id;
  }
  return null;
}

async function gitFolder(start: string): Promise<string | null> {
  for (let folder = start; ; folder = dirname(folder)) {
    const path = join(folder, '.git');
    const kind = await lstat(path).catch(() => null);
    if (kind?.isDirectory()) return path;
    if (kind?.isFile()) {
      const target = /^gitdir: (.+)$/m.exec((await readSmallFile(path)) ?? '')?.[1]?.trim();
      return target ? resolve(folder, target) : null;
    }
    if (dirname(folder) === folder) return null;
  }
}

/** The text of a file; null for one that is missing, not a regular file, or too large. */
async function readSmallFile(path: string): Promise<string | null> {
  try {
    const kind = await lstat(path);
    return kind.isFile() && kind.size <= bytesMax ? await readFile(path, 'utf8') : null;
  } catch {
    return null;
  }
}
