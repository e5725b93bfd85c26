import { copyFileSync, existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { syncFolder } from '../../platform/replace-file.ts';
import { lockFolder } from '../../telemetry/sqlite/file/folder-lock.ts';
import { type BackupPlace, isBackupName } from './backup-place.ts';

/** Each backup is a folder that is named by its time, and has that name only once it is complete. */
export class FolderBackups implements BackupPlace {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async names(): Promise<string[]> {
    return existsSync(this.#folder) ? readdirSync(this.#folder).filter(isBackupName).sort() : [];
  }

  async add(name: string, copyTo: (folder: string) => Promise<unknown>): Promise<void> {
    await inStaging(join(this.#folder, 'unfinished'), async (folder, unlock) => {
      await copyTo(folder);
      unlock();
      await syncFolder(folder);
      renameSync(folder, join(this.#folder, name));
      await syncFolder(this.#folder);
    });
  }

  async fetch(name: string, to: string): Promise<void> {
    for (const file of readdirSync(join(this.#folder, name))) copyFileSync(join(this.#folder, name, file), join(to, file));
  }

  async remove(name: string): Promise<void> {
    rmSync(join(this.#folder, name), { recursive: true });
  }
}

/**
 * Works in a folder that only one program uses at a time, and that does not outlast the work. What an earlier program left there, because it was killed,
 * is removed.
 * @param work `unlock` releases the folder, so that it can be moved
 */
export async function inStaging(folder: string, work: (folder: string, unlock: () => void) => Promise<void>): Promise<void> {
  const lock = await lockFolder(folder, 'cloud:backup', '--into');
  const lockFiles = ['lock.db', 'owner.json'];
  let isLocked = true;
  const unlock = () => {
    lock.release();
    isLocked = false;
    for (const file of lockFiles) rmSync(join(folder, file), { force: true });
  };
  try {
    for (const file of readdirSync(folder)) if (!file.startsWith('lock.db') && file !== 'owner.json') rmSync(join(folder, file));
    await work(folder, unlock);
  } finally {
    if (isLocked) unlock();
    rmSync(folder, { recursive: true, force: true });
  }
}
