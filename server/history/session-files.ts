/** Files in the folders of coding agents. Links are not followed. */
import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

export interface SessionFile {
  path: string;
  /** Milliseconds since the epoch. */
  modifiedMs: number;
}

/**
 * A folder that cannot be read has none, nor has one that is reached by a link.
 * @param inside names of folders, each in the one before
 */
export async function entriesOf(folder: string, ...inside: string[]): Promise<Dirent[]> {
  let path = folder;
  for (const name of inside) {
    path = join(path, name);
    if (!(await lstat(path).catch(() => null))?.isDirectory()) return [];
  }
  return readdir(path, { withFileTypes: true }).catch(() => []);
}

/** Leaves out what has been removed meanwhile. */
export async function filesOf(folder: string, entries: readonly { name: string }[]): Promise<SessionFile[]> {
  const files = entries.map(async ({ name }): Promise<SessionFile[]> => {
    const path = join(folder, name);
    const found = await lstat(path).catch(() => null);
    return found?.isFile() ? [{ path, modifiedMs: found.mtimeMs }] : [];
  });
  return (await Promise.all(files)).flat();
}
