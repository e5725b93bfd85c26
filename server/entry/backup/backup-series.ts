/** Adds a backup of a data folder to a series, and removes old ones. */
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../../platform/replace-file.ts';
import { StartRefusal } from '../../platform/start-refusal.ts';
import { lockFolder } from '../../telemetry/sqlite/file/folder-lock.ts';
import { type BackupPlace, backupName, sourceFile } from './backup-place.ts';
import { makeCopies, requireStores, type StoreFile } from './copies.ts';
import { saveLastBackup } from './last-backup.ts';
import { openBackupPlace } from './open-backup-place.ts';

interface SeriesOptions {
  dataDir: string;
  /** Folder or address of a bucket. */
  place: string;
  stores: readonly StoreFile[];
  /** Number of backups that are kept. */
  keep: number;
}

/** In a data folder: the lock of its backups, its id, and copies on their way into a bucket. */
const ownFolder = (dataDir: string): string => join(dataDir, 'backup');

export const openSeries = ({ place, dataDir }: Pick<SeriesOptions, 'place' | 'dataDir'>): BackupPlace =>
  openBackupPlace(place, process.env, join(ownFolder(dataDir), 'unfinished'));

/**
 * Once the backup is complete it counts, whatever fails afterwards.
 * @returns its name
 * @throws StartRefusal or BlobError when there is none
 */
export async function addBackup({ dataDir, place, stores, keep }: SeriesOptions): Promise<string> {
  requireStores(stores, dataDir);
  const series = openSeries({ place, dataDir });
  const lock = await lockFolder(ownFolder(dataDir), 'cloud:backup', '--data');
  try {
    await claim(series, dataDir, place);
    const name = backupName(new Date());
    let bytes = 0;
    await series.add(name, async (folder) => {
      bytes = await makeCopies(stores, dataDir, folder);
    });
    process.stdout.write(`Added ${name}\n`);
    const save = () => saveLastBackup(dataDir, { finished_at: new Date().toISOString(), bytes });
    for (const step of [save, () => series.tidy(), () => prune(series, name, keep)])
      await step().catch((error: unknown) => process.stderr.write(`The backup ${name} is complete, but afterwards: ${String(error)}\n`));
    return name;
  } finally {
    lock.release();
  }
}

/** A series is of one data folder: two would remove each other's backups. */
async function claim(series: BackupPlace, dataDir: string, place: string): Promise<void> {
  const file = join(ownFolder(dataDir), sourceFile);
  if (!existsSync(file)) await replaceFile(file, `${randomUUID()}\n`);
  const id = readFileSync(file, 'utf8').trim();
  const found = await series.source();
  if (found === null) await series.setSource(id);
  else if (found !== id)
    throw new StartRefusal(
      `${place} has the backups of another data folder: choose another place, or delete ${sourceFile} there to continue its series`,
    );
}

async function prune(series: BackupPlace, added: string, keep: number): Promise<void> {
  const others = (await series.names()).filter((name) => name !== added);
  const later = others.at(-1);
  if (later !== undefined && later > added)
    process.stderr.write(`${later} is later than ${added}, which was just added. Is the clock of this machine right?\n`);
  for (const old of others.slice(0, Math.max(0, others.length - (keep - 1)))) {
    await series.remove(old);
    process.stdout.write(`Removed ${old}\n`);
  }
}
