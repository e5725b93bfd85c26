/** Where large values are, from environment variables. */
import { randomUUID } from 'node:crypto';
import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { BlobError, type BlobPlace } from '../blobs/blob-store.ts';
import { openBlobs } from '../blobs/open-blobs.ts';
import type { Log } from '../platform/log.ts';
import { StartRefusal } from '../platform/start-refusal.ts';

const environment = z.object({
  /** Bucket and prefix, for large values of a fleet. */
  GLASSHOUSE_S3_URL: z
    .url({ protocol: /^https?$/, error: 'must be an address such as https://s3.eu-central-1.amazonaws.com/bucket/prefix' })
    .refine(
      (url) => /^[^/]+\/\/[^/?#@]+(\/[A-Za-z0-9._-]+)+\/?$/.test(url),
      'must have a bucket and may have a prefix, and neither user nor query',
    )
    .optional(),
  GLASSHOUSE_S3_REGION: z.string().default('us-east-1'),
  GLASSHOUSE_S3_KEY_ID: z.string().optional(),
  GLASSHOUSE_S3_KEY_SECRET: z.string().optional(),
  /** A folder instead of a bucket. */
  GLASSHOUSE_BLOB_FOLDER: z.string().refine(isAbsolute, 'must be an absolute path').optional(),
});

/** Names of the variables above. */
export const blobVariables: readonly string[] = Object.keys(environment.shape);

/**
 * Null without any: large values are in the databases.
 * @param set variables that are not empty
 * @throws Error with a line for each invalid variable
 */
export function readBlobPlace(set: Record<string, string | undefined>): BlobPlace | null {
  const { GLASSHOUSE_S3_URL: url, GLASSHOUSE_BLOB_FOLDER: folder, ...keys } = parsed(set);
  if (!url && !folder) return null;
  if (url && folder) throw new Error('GLASSHOUSE_S3_URL and GLASSHOUSE_BLOB_FOLDER exclude each other: set one of them');
  if (!set['GLASSHOUSE_CLICKHOUSE_URL'])
    throw new Error(
      `${url ? 'GLASSHOUSE_S3_URL' : 'GLASSHOUSE_BLOB_FOLDER'} needs GLASSHOUSE_CLICKHOUSE_URL: it is for the large values of a fleet`,
    );
  if (folder) return { folder };
  return bucketAt('GLASSHOUSE_S3_URL', url ?? '', keys);
}

/**
 * A bucket that the command line names, with the keys of the settings.
 * @throws Error with a line for each fault
 */
export function readBucket(url: string, set: Record<string, string | undefined>): BlobPlace {
  const shown = url.replace(/\/\/[^/]*@/, '//');
  try {
    return bucketAt(shown, url, parsed({ ...set, GLASSHOUSE_S3_URL: url }));
  } catch (error) {
    throw new Error((error as Error).message.replace('GLASSHOUSE_S3_URL', shown));
  }
}

function parsed(set: Record<string, string | undefined>): z.output<typeof environment> {
  const read = environment.safeParse(set);
  if (read.success) return read.data;
  throw new Error(read.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('\n'));
}

type Keys = Pick<z.output<typeof environment>, 'GLASSHOUSE_S3_REGION' | 'GLASSHOUSE_S3_KEY_ID' | 'GLASSHOUSE_S3_KEY_SECRET'>;

/** @param name of the bucket in a refusal */
function bucketAt(name: string, url: string, keys: Keys): BlobPlace {
  const { GLASSHOUSE_S3_REGION: region, GLASSHOUSE_S3_KEY_ID: keyId, GLASSHOUSE_S3_KEY_SECRET: keySecret } = keys;
  if (!keyId || !keySecret) throw new Error(`${name} needs GLASSHOUSE_S3_KEY_ID and GLASSHOUSE_S3_KEY_SECRET`);
  return { s3: { url, region, keyId, keySecret } };
}

/**
 * Writes, reads, lists and removes a blob, so that wrong settings show at the start. A bucket that does not answer now is only logged.
 * @throws StartRefusal
 */
export async function checkBlobs(place: BlobPlace, log: Log): Promise<void> {
  const blobs = openBlobs(place);
  const folder = `start/${randomUUID()}/`;
  const key = `${folder}blob`;
  try {
    await blobs.put(key, Buffer.from('start'));
    const read = await blobs.get(key);
    const listed = await blobs.list(folder);
    await blobs.remove(key);
    if (!read || Buffer.from(read).toString() !== 'start' || !listed.includes(key))
      throw new BlobError('refused', 'What is written there is not found there');
  } catch (error) {
    if (!(error instanceof BlobError)) throw error;
    if ('s3' in place && error.failure === 'unavailable') log.error('blobs_unavailable', { reason: String(error) });
    else throw new StartRefusal(`${'s3' in place ? 'GLASSHOUSE_S3_URL' : 'GLASSHOUSE_BLOB_FOLDER'} cannot be used: ${error.message}`);
  }
}
