import { BlobError, type BlobPlace } from '../../blobs/blob-store.ts';
import { openBlobs } from '../../blobs/open-blobs.ts';
import { StartRefusal } from '../../platform/start-refusal.ts';
import { readBucket } from '../blob-settings.ts';
import type { BackupPlace } from './backup-place.ts';
import { BucketBackups } from './bucket-backups.ts';
import { FolderBackups } from './folder-backups.ts';

/**
 * @param place folder, or address of a bucket with an optional prefix, whose keys are in the settings
 * @param staging folder for the copies on their way into a bucket
 * @throws StartRefusal
 */
export function openBackupPlace(place: string, settings: Record<string, string | undefined>, staging: string): BackupPlace {
  if (!/^https?:/i.test(place)) return new FolderBackups(place);
  let bucket: BlobPlace;
  try {
    bucket = readBucket(place, settings);
  } catch (error) {
    throw new StartRefusal((error as Error).message);
  }
  return new BucketBackups(openBlobs(bucket), staging);
}

/** Runs a step of a backup. @throws StartRefusal for a bucket that cannot be used */
export async function atPlace<T>(place: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw error instanceof BlobError ? new StartRefusal(`${place} cannot be used: ${error.message}`) : error;
  }
}
