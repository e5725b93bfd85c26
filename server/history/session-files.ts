/**
 * Files in the folders of coding agents. Links are not followed. Synchronous, which is ten times as fast for tens of thousands of files; it runs in
 * a thread or a program of its own.
 */
import { type Dirent, lstatSync, readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';

export interface SessionFile {
  path: string;
  bytes: number;
  /** Milliseconds since the epoch. */
  modifiedMs: number;
}

/**
 * A folder that cannot be read has none, nor has one that is reached by a link.
 * @param inside names of folders, each in the one before
 */
export function entriesOf(folder: string, ...inside: string[]): Dirent[] {
  let path = folder;
  for (const name of inside) {
    path = join(path, name);
    if (!statOf(path)?.isDirectory()) return [];
  }
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Leaves out what has been removed meanwhile. */
export function filesOf(folder: string, entries: readonly { name: string }[]): SessionFile[] {
  return entries.flatMap(({ name }): SessionFile[] => {
    const path = join(folder, name);
    const found = statOf(path);
    return found?.isFile() ? [{ path, bytes: found.size, modifiedMs: found.mtimeMs }] : [];
  });
}

function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
