/** Restores a backup of a series into a data folder. */
import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { syncFolder } from '../../platform/replace-file.ts';
import { StartRefusal } from '../../platform/start-refusal.ts';
import { lockFolder } from '../../telemetry/sqlite/file/folder-lock.ts';
import type { BackupPlace } from './backup-place.ts';
import { type StoreFile, verifyCopies } from './copies.ts';
import { inStaging } from './folder-backups.ts';

interface RestoreOptions {
  series: BackupPlace;
  /** As the user named it. */
  place: string;
  /** Without stores. */
  folder: string;
  stores: readonly StoreFile[];
  /** The newest by default. */
  name?: string | undefined;
}

/**
 * The stores are in the folder only once all of them have been fetched and verified.
 * @returns the name of the backup
 * @throws StartRefusal or BlobError
 */
export async function restoreBackup({ series, place, folder, stores, name }: RestoreOptions): Promise<string> {
  const target = await lockFolder(folder, 'cloud:backup', '--to');
  try {
    const existing = stores
      .flatMap((file) => [file(folder), `${file(folder)}-wal`, `${file(folder)}-shm`])
      .find((file) => existsSync(file));
    if (existing) throw new StartRefusal(`${existing} exists already: choose a folder without stores`);
    const names = await series.names();
    const chosen = name ?? names.at(-1);
    if (!chosen || !names.includes(chosen))
      throw new StartRefusal(`${place} has no backup${name ? ` ${name}` : ''}${names.length > 0 ? `: it has ${names.join(', ')}` : ''}`);
    const unfinished = join(folder, 'unfinished-restore');
    await inStaging(unfinished, async () => {
      await series.fetch(chosen, unfinished);
      verifyCopies(stores, unfinished);
      for (const file of stores) renameSync(file(unfinished), file(folder));
      await syncFolder(folder);
    });
    return chosen;
  } finally {
    target.release();
  }
}
