/**
 * Reads the checked-out commit from git's own files: git itself would run programs named by the configuration. Returns only well-formed
 * commit ids, so a `.git` that points elsewhere reveals nothing.
 */
import { lstat, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

const commit = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const reference = /^refs\/(?!.*\.\.)[\w./@+-]+$/;
const bytesMax = 4 * 1024 * 1024;

/** Null outside a repository, in one without commits, and where references are kept in a form that we do not read. */
export async function commitSha(folder: string): Promise<string | null> {
  const git = await gitFolder(folder);
  if (git === null) return null;
  const head = (await small(join(git, 'HEAD')))?.trim() ?? '';
  if (commit.test(head)) return head;
  const name = head.startsWith('ref: ') ? head.slice(5).trim() : '';
  if (!reference.test(name)) return null;
  // A linked work tree keeps its HEAD apart and its branches with the others.
  const common = (await small(join(git, 'commondir')))?.trim();
  for (const place of common === undefined ? [git] : [git, resolve(git, common)]) {
    const loose = (await small(join(place, name)))?.trim() ?? '';
    if (commit.test(loose)) return loose;
    const packed = packedIn((await small(join(place, 'packed-refs'))) ?? '', name);
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
      const pointed = /^gitdir: (.+)$/m.exec((await small(path)) ?? '')?.[1]?.trim();
      return pointed ? resolve(folder, pointed) : null;
    }
    if (dirname(folder) === folder) return null;
  }
}

/** Null for a missing, irregular or too large file. */
async function small(path: string): Promise<string | null> {
  try {
    const kind = await lstat(path);
    return kind.isFile() && kind.size <= bytesMax ? await readFile(path, 'utf8') : null;
  } catch {
    return null;
  }
}
