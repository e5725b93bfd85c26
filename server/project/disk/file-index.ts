/**
 * In-memory index of templates and datasets. A folder is read once, and again when its timestamps show a change of its entries. So a list
 * costs one stat for each folder, and is current with or without a watch (see `folder-watch.ts`).
 */
import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { isLegalName } from '../legal-name.ts';
import { isSettled, stateOf } from './file-cache.ts';
import { type FileLocation, inBatches, openFolder } from './open-file.ts';
import { locationOf, type ProjectFolder } from './project-folder.ts';

const filesMax = 20_000;
const foldersMax = 5_000;
const depthMax = 32;
const suffixes = ['.prompt.mdx', '.jsonl'] as const;

interface Folder {
  id: string;
  /** Null while it changes too fast to be cached. */
  state: string | null;
  /** Names, not paths. */
  files: string[];
  folders: string[];
}

export class FileIndex {
  #folders = new Map<string, Folder>();
  #running: Promise<Map<string, Folder>> | null = null;
  #next: Promise<Map<string, Folder>> | null = null;

  /**
   * Regular files with the suffix, as paths with `/`, in code unit order. Skips links, hidden folders, package folders, and files with
   * illegal names.
   */
  async list(at: ProjectFolder, suffix: (typeof suffixes)[number]): Promise<string[]> {
    const found: string[] = [];
    for (const [path, { files }] of await this.#check(at)) {
      for (const name of files) {
        const file = joinPath(path, name);
        if (name.endsWith(suffix) && isLegalName(file)) found.push(file);
      }
    }
    return found.slice(0, filesMax).sort();
  }

  /** Paths of all folders at the last check, root first, each with its identity. */
  watched({ folder }: ProjectFolder): Map<string, string> {
    return new Map([...this.#folders].map(([path, { id }]) => [join(folder, path), id]));
  }

  /** A check that began before this call may have missed a change, so later callers share the next one. */
  #check(at: ProjectFolder): Promise<Map<string, Folder>> {
    if (this.#next) return this.#next;
    if (this.#running) {
      const start = () => {
        this.#next = null;
        return this.#startWalk(at);
      };
      this.#next = this.#running.then(start, start);
      return this.#next;
    }
    return this.#startWalk(at);
  }

  #startWalk(at: ProjectFolder): Promise<Map<string, Folder>> {
    const running = this.#walk(at);
    this.#running = running;
    const done = () => {
      if (this.#running === running) this.#running = null;
    };
    running.then(done, done);
    return running;
  }

  async #walk(at: ProjectFolder): Promise<Map<string, Folder>> {
    const seen = new Map<string, Folder>();
    let files = 0;
    let level = [''];
    for (let depth = 0; level.length > 0 && depth < depthMax && files < filesMax; depth++) {
      const paths = level.slice(0, Math.max(0, foldersMax - seen.size));
      const found = await inBatches(paths, (path) => this.#folderAt(at, path));
      level = [];
      for (const [index, folder] of found.entries()) {
        const path = paths[index] as string;
        if (!folder) continue;
        seen.set(path, folder);
        files += folder.files.length;
        level.push(...folder.folders.map((name) => joinPath(path, name)));
      }
    }
    this.#folders = seen;
    return seen;
  }

  async #folderAt(at: ProjectFolder, path: string): Promise<Folder | null> {
    const known = this.#folders.get(path);
    if (known && known.state !== null) {
      const stats = await lstat(join(at.folder, path), { bigint: true }).catch(() => null);
      if (stats && stateOf(stats) === known.state) return known;
    }
    return readFolder(locationOf(at, path));
  }
}

const joinPath = (path: string, name: string): string => (path === '' ? name : `${path}/${name}`);

/** Null when missing or unreadable. */
async function readFolder(location: FileLocation): Promise<Folder | null> {
  const handle = await openFolder(location).catch(() => null);
  if (!handle) return null;
  try {
    const stats = await lstat(handle.at('.'), { bigint: true });
    const now = Date.now();
    const folder: Folder = { id: `${stats.dev},${stats.ino}`, state: null, files: [], folders: [] };
    for await (const entry of await opendir(handle.at('.'))) {
      const { name } = entry;
      if (entry.isDirectory() && !name.startsWith('.') && name !== 'node_modules') folder.folders.push(name);
      if (entry.isFile() && suffixes.some((suffix) => name.endsWith(suffix) && name.length > suffix.length)) folder.files.push(name);
      if (folder.files.length >= filesMax) break;
    }
    if (isSettled(stats, now)) folder.state = stateOf(stats);
    return folder;
  } catch {
    return null;
  } finally {
    await handle.close();
  }
}
