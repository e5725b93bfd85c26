/** Big values outside the databases: in S3 or in a folder (docs/adr/054-blobs-by-content.md). */

export interface BlobStore {
  /** Durable when it resolves. What is there already is replaced. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** Null when there is none. */
  get(key: string, signal?: AbortSignal): Promise<Uint8Array | null>;
  /** Resolves also when there is none. */
  remove(key: string): Promise<void>;
  /** The first keys in a folder, in order, up to `listedMax` or fewer. @param folder ends with `/` @param after only keys after this one */
  list(folder: string, after?: string): Promise<string[]>;
}

export const listedMax = 1000;

/** `unavailable`: it passes. `refused`: settings or permissions are wrong. `damaged`: the bytes are not those that were stored. */
export type BlobFailure = 'unavailable' | 'refused' | 'damaged';

/** Its message is for clients, so that it names no address. */
export class BlobError extends Error {
  readonly failure: BlobFailure;

  constructor(failure: BlobFailure, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'BlobError';
    this.failure = failure;
  }
}

/** Where blobs are. It can be sent to threads. */
export type BlobPlace = { folder: string } | { s3: S3Place };

export interface S3Place {
  /** `https://host/bucket/prefix`: the bucket is in the path. */
  url: string;
  region: string;
  keyId: string;
  keySecret: string;
}

/**
 * Removes some blobs of a folder, as many as one list has. Repeat it until nothing was removed.
 * @param folder ends with `/`
 * @param before what the last call returned
 * @returns what it removed
 * @throws BlobError also when the same was listed before: the store says that it removes, and does not
 */
export async function removeSome(blobs: BlobStore, folder: string, before: readonly string[] = []): Promise<readonly string[]> {
  const keys = await blobs.list(folder);
  if (keys.length > 0 && keys.join('\n') === before.join('\n')) throw new BlobError('refused', 'The blob store lists what was removed');
  await Promise.all(keys.map((key) => blobs.remove(key)));
  return keys;
}
