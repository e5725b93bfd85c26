/**
 * Files in the folders of coding agents. Links are not followed. Synchronous, which is ten times as fast for tens of thousands of files; it runs in
 * a thread or a program of its own.
 */
import { type Dirent, lstatSync, readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { Session, type SessionFile } from './session.ts';

/** Looks into folders, and notes what cannot be looked at. */
export class Folders {
  /** Folders and files that are there and cannot be looked at, and why. */
  readonly unreadable: { path: string; why: string }[] = [];
  readonly #known: ReadonlyMap<string, Session>;

  /** @param known sessions by id, as they were */
  constructor(known: ReadonlyMap<string, Session> = new Map()) {
    this.#known = known;
  }

  /**
   * A session that did not change stays the same object: a look at tens of thousands then leaves little to collect, and what was read of one shares
   * its strings.
   * @param others files of sub-agents
   */
  session(id: string, file: SessionFile, others: readonly SessionFile[] = [], isAgent = false): Session {
    const found = new Session(id, file, others, isAgent);
    const before = this.#known.get(id);
    return before?.isSame(found) ? before : found;
  }

  /**
   * What is in a folder. Nothing is in one that cannot be read, or that is reached by a link.
   * @param inside names of folders, each in the one before
   */
  entriesOf(folder: string, ...inside: string[]): Dirent[] {
    let path = folder;
    for (const name of inside) {
      path = join(path, name);
      if (!this.#statOf(path)?.isDirectory()) return [];
    }
    return this.#tried(path, () => readdirSync(path, { withFileTypes: true })) ?? [];
  }

  /** Leaves out what has been removed meanwhile. */
  filesOf(folder: string, entries: readonly { name: string }[]): SessionFile[] {
    return entries.flatMap(({ name }): SessionFile[] => {
      const path = join(folder, name);
      const found = this.#statOf(path);
      return found?.isFile() ? [{ path, bytes: found.size, modifiedMs: found.mtimeMs }] : [];
    });
  }

  #statOf = (path: string): Stats | undefined => this.#tried(path, () => lstatSync(path, { throwIfNoEntry: false }));

  #tried<T>(path: string, look: () => T): T | undefined {
    try {
      return look();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === undefined) throw error;
      if (code !== 'ENOENT' && code !== 'ENOTDIR') this.unreadable.push({ path, why: code });
      return undefined;
    }
  }
}
