/**
 * Index of templates and datasets, in memory. A folder is read once, and again when its timestamps show a change of its entries. So a list
 * costs one stat for each folder, and is current whether or not anybody watches (see `folder-watch.ts`).
 */
import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { isLegalName } from '../legal-name.ts';
import { hold, inBatches, type Place } from './open-file.ts';
import { type ProjectFolder, placeOf } from './project-folder.ts';
import { isSettled, stateOf } from './remembered.ts';

const filesMax = 20_000;
const foldersMax = 5_000;
const depthMax = 32;
const suffixes = ['.prompt.mdx', '.jsonl'] as const;

interface Folder {
  id: string;
  /** Null while it changes too fast to be remembered. */
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
    for (const [path, { files }] of await this.#look(at)) {
      for (const name of files) {
        const file = within(path, name);
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
  #look(at: ProjectFolder): Promise<Map<string, Folder>> {
    if (this.#next) return this.#next;
    if (this.#running) {
      const start = () => {
        this.#next = null;
        return this.#begin(at);
      };
      this.#next = this.#running.then(start, start);
      return this.#next;
    }
    return this.#begin(at);
  }

  #begin(at: ProjectFolder): Promise<Map<string, Folder>> {
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
      for (const [index, each] of found.entries()) {
        const path = paths[index] as string;
        if (!each) continue;
        seen.set(path, each);
        files += each.files.length;
        level.push(...each.folders.map((name) => within(path, name)));
      }
    }
    this.#folders = seen;
    return seen;
  }

  async #folderAt(at: ProjectFolder, path: string): Promise<Folder | null> {
    const known = this.#folders.get(path);
    if (known && known.state !== null) {
      const seen = await lstat(join(at.folder, path), { bigint: true }).catch(() => null);
      if (seen && stateOf(seen) === known.state) return known;
    }
    return readFolder(placeOf(at, path));
  }
}

const within = (path: string, name: string): string => (path === '' ? name : `${path}/${name}`);

/** Null when missing or unreadable. */
async function readFolder(place: Place): Promise<Folder | null> {
  const held = await hold(place).catch(() => null);
  if (!held) return null;
  try {
    const before = await lstat(held.at('.'), { bigint: true });
    const now = Date.now();
    const folder: Folder = { id: `${before.dev},${before.ino}`, state: null, files: [], folders: [] };
    for await (const entry of await opendir(held.at('.'))) {
      const { name } = entry;
      if (entry.isDirectory() && !name.startsWith('.') && name !== 'node_modules') folder.folders.push(name);
      if (entry.isFile() && suffixes.some((suffix) => name.endsWith(suffix) && name.length > suffix.length)) folder.files.push(name);
      if (folder.files.length >= filesMax) break;
    }
    if (isSettled(before, now)) folder.state = stateOf(before);
    return folder;
  } catch {
    return null;
  } finally {
    await held.close();
  }
}
