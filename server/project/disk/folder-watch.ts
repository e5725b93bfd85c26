/**
 * Tells that something changed in folders, so that what is remembered of them can be brought up to date before anybody asks. Answers do not
 * depend on it: an event may come late, or never where the system has no room for watches or a network file system sends none.
 *
 * On Linux each folder has a watch of its own: Node's recursive watch, and chokidar, put one on every file as well (ADR 006). macOS and
 * Windows have recursive watches themselves, and Windows would not let a folder be renamed while one below it is watched.
 */
import { type FSWatcher, watch } from 'node:fs';

const isRecursive = process.platform === 'darwin' || process.platform === 'win32';

/** Interval in which a burst of changes, such as a checkout, is reported once. */
const quietMs = 250;

export class FolderWatch {
  readonly #changed: () => Promise<void>;
  readonly #failed: (code: string) => void;
  readonly #watches = new Map<string, { id: string; watcher: FSWatcher }>();
  #timer: NodeJS.Timeout | null = null;
  #isTelling = false;
  #isClosed = false;

  /**
   * @param changed called after a quiet moment, and not again before it is done
   * @param failed called once if watching is given up
   */
  constructor(changed: () => Promise<void>, failed: (code: string) => void) {
    this.#changed = changed;
    this.#failed = failed;
  }

  /** @param folders all folders to watch from now on, each with its identity */
  follow(folders: ReadonlyMap<string, string>): void {
    if (this.#isClosed) return;
    for (const [path, { id, watcher }] of this.#watches) {
      if (folders.get(path) === id) continue;
      watcher.close();
      this.#watches.delete(path);
    }
    for (const [path, id] of folders) {
      if (!this.#watches.has(path) && !this.#add(path, id)) return;
      // The first is the top.
      if (isRecursive) return;
    }
  }

  close(): void {
    this.#isClosed = true;
    if (this.#timer) clearTimeout(this.#timer);
    for (const { watcher } of this.#watches.values()) watcher.close();
    this.#watches.clear();
  }

  #add(path: string, id: string): boolean {
    try {
      const watcher = watch(path, { persistent: false, recursive: isRecursive }, () => this.#touch());
      watcher.on('error', (error) => this.#giveUp(path, error));
      this.#watches.set(path, { id, watcher });
      return true;
    } catch (error) {
      return this.#giveUp(path, error as Error);
    }
  }

  /** A folder that went away meanwhile is none of our failures. */
  #giveUp(path: string, error: NodeJS.ErrnoException): boolean {
    this.#watches.get(path)?.watcher.close();
    this.#watches.delete(path);
    if (this.#isClosed) return false;
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR' || error.code === 'EPERM') return true;
    this.close();
    this.#failed(error.code ?? error.message);
    return false;
  }

  #touch(): void {
    if (!this.#isClosed) this.#timer ??= setTimeout(() => this.#tell(), quietMs).unref();
  }

  #tell(): void {
    this.#timer = null;
    if (this.#isTelling) {
      this.#touch();
      return;
    }
    this.#isTelling = true;
    const done = () => {
      this.#isTelling = false;
    };
    this.#changed().then(done, done);
  }
}
