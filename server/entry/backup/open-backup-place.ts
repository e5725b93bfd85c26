import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { BlobError, type BlobPlace } from '../../blobs/blob-store.ts';
import { openBlobs } from '../../blobs/open-blobs.ts';
import { StartRefusal } from '../../platform/start-refusal.ts';
import { readBucket } from '../blob-settings.ts';
import { withSecretFiles } from '../secret-files.ts';
import type { BackupPlace } from './backup-place.ts';
import { BucketBackups } from './bucket-backups.ts';
import { FolderBackups } from './folder-backups.ts';

const keyNames = ['GLASSHOUSE_S3_REGION', 'GLASSHOUSE_S3_KEY_ID', 'GLASSHOUSE_S3_KEY_SECRET', 'GLASSHOUSE_S3_KEY_SECRET_FILE'];

/**
 * @param place folder, or address of a bucket with an optional prefix
 * @param variables with the keys of the bucket
 * @param staging folder for the copies on their way into a bucket
 * @throws StartRefusal
 */
export function openBackupPlace(place: string, variables: Record<string, string | undefined>, staging: string): BackupPlace {
  if (!/^\w+:\/\//.test(place)) return openFolder(place);
  if (!/^https?:/i.test(place)) throw new StartRefusal('The address of a bucket begins with https://: https://HOST/BUCKET/PREFIX');
  let bucket: BlobPlace;
  try {
    const set = Object.entries(variables).filter(([name, value]) => keyNames.includes(name) && value);
    bucket = readBucket(place, withSecretFiles(Object.fromEntries(set)));
  } catch (error) {
    throw new StartRefusal((error as Error).message);
  }
  return new BucketBackups(openBlobs(bucket), staging);
}

/** A folder above it that is missing is mostly a disk that is not mounted. */
function openFolder(folder: string): BackupPlace {
  const above = dirname(resolve(folder));
  if (!existsSync(above)) throw new StartRefusal(`There is no folder ${above}: is its disk mounted?`);
  return new FolderBackups(folder);
}

/** Runs a step of a backup. @throws StartRefusal for a bucket that cannot be used */
export async function atPlace<T>(place: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw error instanceof BlobError ? new StartRefusal(`${place} cannot be used: ${error.message}`) : error;
  }
}
