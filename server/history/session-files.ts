/** Files in the folders of coding agents. Links are not followed. */
import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

export interface SessionFile {
  path: string;
  /** Milliseconds since the epoch. */
  modifiedMs: number;
}

/** A folder that cannot be read has none. */
export const entriesOf = (folder: string): Promise<Dirent[]> => readdir(folder, { withFileTypes: true }).catch(() => []);

/** Leaves out what has been removed meanwhile. */
export async function filesOf(folder: string, entries: readonly { name: string }[]): Promise<SessionFile[]> {
  const files = entries.map(async ({ name }): Promise<SessionFile[]> => {
    const path = join(folder, name);
    const found = await lstat(path).catch(() => null);
    return found?.isFile() ? [{ path, modifiedMs: found.mtimeMs }] : [];
  });
  return (await Promise.all(files)).flat();
}
