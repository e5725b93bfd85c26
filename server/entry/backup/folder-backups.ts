import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { ownerOnly, replaceFile, syncFolder } from '../../platform/replace-file.ts';
import { type BackupPlace, isBackupName, isStoreFile, sourceFile } from './backup-place.ts';

/** Each backup is a folder that is named by its time, and has that name only while it is complete. */
export class FolderBackups implements BackupPlace {
  readonly #folder: string;
  readonly #unfinished: string;
  readonly #removed: string;

  constructor(folder: string) {
    this.#folder = folder;
    this.#unfinished = join(folder, 'unfinished');
    this.#removed = join(folder, 'removed');
  }

  async names(): Promise<string[]> {
    return existsSync(this.#folder) ? readdirSync(this.#folder).filter(isBackupName).sort() : [];
  }

  async add(name: string, copyTo: (folder: string) => Promise<unknown>): Promise<void> {
    await inStaging(this.#unfinished, async () => {
      await copyTo(this.#unfinished);
      await syncFolder(this.#unfinished);
      renameSync(this.#unfinished, join(this.#folder, name));
      await syncFolder(this.#folder);
    });
  }

  async tidy(): Promise<void> {
    for (const folder of [this.#unfinished, this.#removed]) rmSync(folder, { recursive: true, force: true });
  }

  async fetch(name: string, to: string): Promise<void> {
    for (const file of readdirSync(join(this.#folder, name)).filter(isStoreFile)) {
      copyFileSync(join(this.#folder, name, file), join(to, file));
      chmodSync(join(to, file), ownerOnly);
      syncFile(join(to, file));
    }
  }

  async remove(name: string): Promise<void> {
    rmSync(this.#removed, { recursive: true, force: true });
    renameSync(join(this.#folder, name), this.#removed);
    rmSync(this.#removed, { recursive: true });
  }

  async source(): Promise<string | null> {
    const file = join(this.#folder, sourceFile);
    return existsSync(file) ? readFileSync(file, 'utf8').trim() : null;
  }

  setSource(id: string): Promise<void> {
    return replaceFile(join(this.#folder, sourceFile), `${id}\n`);
  }
}

/** Works in a new folder, which is removed afterwards, as is what an earlier program left there. */
export async function inStaging<T>(folder: string, work: () => Promise<T>): Promise<T> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    return await work();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function syncFile(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
