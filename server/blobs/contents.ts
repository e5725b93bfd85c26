/**
 * Values by their content, below their app: `tenant/app/kind/sha256/generation`. A blob is the value compressed with zstd. The generation makes
 * the key of a value that is stored again another one, so that whoever removes the earlier one late does not remove the later one.
 */
import { createHash } from 'node:crypto';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Scope } from '../platform/scope.ts';
import { BlobError, type BlobStore } from './blob-store.ts';

/** Smaller values are cheaper in the database. */
export const blobBytesMin = 256 * 1024;
/** Above the size of any request. */
const plainBytesMax = 512 * 1024 * 1024;

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Everything of an app. */
export const folderOfApp = ({ tenant_id, app_id }: Scope): string => `${segment(tenant_id)}/${segment(app_id)}/`;

/** Every generation of a value. */
export const folderOfContent = (scope: Scope, kind: string, sha256: string): string => `${folderOfApp(scope)}${kind}/${sha256}/`;

export const keyOfContent = (scope: Scope, kind: string, sha256: string, generation: bigint): string =>
  `${folderOfContent(scope, kind, sha256)}${generation.toString(16).padStart(16, '0')}`;

/** Of a key in `folderOfContent`. */
export const generationOf = (key: string): bigint => BigInt(`0x${/([0-9a-f]{16})[^/]*$/.exec(key)?.[1] ?? '0'}`);

export async function putContent(blobs: BlobStore, key: string, bytes: Uint8Array): Promise<void> {
  await blobs.put(key, zstdCompressSync(bytes, { params: { [constants.ZSTD_c_checksumFlag]: 1 } }));
}

/** @throws BlobError `damaged` when it is not what was stored; null when there is none */
export async function getContent(blobs: BlobStore, key: string, sha256: string, signal?: AbortSignal): Promise<Buffer | null> {
  const stored = await blobs.get(key, signal);
  if (!stored) return null;
  try {
    const bytes = zstdDecompressSync(stored, { maxOutputLength: plainBytesMax });
    if (sha256Of(bytes) === sha256) return bytes;
  } catch (error) {
    throw new BlobError('damaged', 'A blob is damaged', error);
  }
  throw new BlobError('damaged', 'A blob has another content than was stored');
}

/** Ids are plain as a rule; what else one may hold must not become another folder. */
const segment = (id: string): string => (/^[A-Za-z0-9_-]{1,100}$/.test(id) ? id : `~${sha256Of(Buffer.from(id)).slice(0, 32)}`);
