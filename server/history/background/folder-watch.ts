/** Says that something changed in some folders. Where a folder cannot be watched, as on some network drives, its changes are not noticed. */
import { type FSWatcher, watch } from 'node:fs';

export class FolderWatch {
  readonly #watchers = new Map<string, FSWatcher>();
  #hasChange = false;
  #wake = () => {};
  /** Whether all folders could be watched. */
  isComplete = true;

  /** Replaces the watched folders. Folders in them are not included. */
  set(folders: ReadonlySet<string>): void {
    for (const folder of this.#watchers.keys()) if (!folders.has(folder)) this.#close(folder);
    this.isComplete = true;
    for (const folder of folders) if (!this.#watchers.has(folder)) this.#open(folder);
  }

  /** Whether something changed since it was last asked. */
  takeChange(): boolean {
    const had = this.#hasChange;
    this.#hasChange = false;
    return had;
  }

  /** Resolves after this time, or at the next change. @param ms milliseconds */
  async wait(ms: number): Promise<void> {
    if (this.#hasChange) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      timer = setTimeout(resolve, ms);
    });
    clearTimeout(timer);
    this.#wake = () => {};
  }

  #open(folder: string): void {
    try {
      const watcher = watch(folder, { persistent: false }, () => this.#changed());
      watcher.on('error', () => {
        this.#close(folder);
        this.#changed();
      });
      this.#watchers.set(folder, watcher);
    } catch {
      this.isComplete = false;
    }
  }

  #close(folder: string): void {
    this.#watchers.get(folder)?.close();
    this.#watchers.delete(folder);
  }

  #changed(): void {
    this.#hasChange = true;
    this.#wake();
  }
}
