/**
 * Reports changes in folders, so that caches can be updated before the next request. Answers do not depend on it: an event may be late, or
 * never come where the system has run out of watches or a network file system sends no events.
 *
 * On Linux each folder has its own watch: Node's recursive watch, and chokidar, also watch every file (ADR 006). macOS and
 * Windows support recursive watches, and Windows does not let a folder be renamed while a folder below it is watched.
 */
import { type FSWatcher, watch } from 'node:fs';

const isRecursive = process.platform === 'darwin' || process.platform === 'win32';

/** Interval in which a burst of changes, such as a checkout, is reported once. */
const pauseMs = 250;

export class FolderWatch {
  readonly #onChange: () => Promise<void>;
  readonly #onFailure: (code: string) => void;
  readonly #watches = new Map<string, { id: string; watcher: FSWatcher }>();
  #timer: NodeJS.Timeout | null = null;
  #isReporting = false;
  #isClosed = false;

  /**
   * @param onChange called after a short pause, and not again before it has resolved
   * @param onFailure called once if watching fails for good
   */
  constructor(onChange: () => Promise<void>, onFailure: (code: string) => void) {
    this.#onChange = onChange;
    this.#onFailure = onFailure;
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
      // The first folder is the root, which is watched recursively.
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
      const watcher = watch(path, { persistent: false, recursive: isRecursive }, () => this.#schedule());
      watcher.on('error', (error) => this.#giveUp(path, error));
      this.#watches.set(path, { id, watcher });
      return true;
    } catch (error) {
      return this.#giveUp(path, error as Error);
    }
  }

  /** A folder that was removed meanwhile is not a failure. */
  #giveUp(path: string, error: NodeJS.ErrnoException): boolean {
    this.#watches.get(path)?.watcher.close();
    this.#watches.delete(path);
    if (this.#isClosed) return false;
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR' || error.code === 'EPERM') return true;
    this.close();
    this.#onFailure(error.code ?? error.message);
    return false;
  }

  #schedule(): void {
    if (!this.#isClosed) this.#timer ??= setTimeout(() => this.#report(), pauseMs).unref();
  }

  #report(): void {
    this.#timer = null;
    if (this.#isReporting) {
      this.#schedule();
      return;
    }
    this.#isReporting = true;
    const done = () => {
      this.#isReporting = false;
    };
    this.#onChange().then(done, done);
  }
}
