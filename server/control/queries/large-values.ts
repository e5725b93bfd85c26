/** Values of the control store of 256 KiB and more, when there is a blob store: their rows are empty, and have their hash (ADR 054). */
import { BlobError, type BlobStore } from '../../blobs/blob-store.ts';
import { blobBytesMin, getContent, keyOfContent, putContent, sha256Of } from '../../blobs/contents.ts';
import type { Scope } from '../../platform/scope.ts';
import { StorageError } from '../../telemetry/storage-error.ts';

type Kind = 'agent' | 'file';

/** They go only with their app, so that no key is used again after a removal. */
const generation = 0n;

export class LargeValues {
  readonly #blobs: BlobStore | null;

  constructor(blobs: BlobStore | null) {
    this.#blobs = blobs;
  }

  /** Whether a value goes to the blob store. */
  has({ length }: Uint8Array): boolean {
    return this.#blobs !== null && length >= blobBytesMin;
  }

  /** Call it before the transaction with the row. @throws StorageError */
  async put(scope: Scope, kind: Kind, bytes: Uint8Array): Promise<void> {
    const blobs = this.#opened();
    await asStorage(() => putContent(blobs, keyOfContent(scope, kind, sha256Of(bytes), generation), bytes));
  }

  /** @throws StorageError */
  async get(scope: Scope, kind: Kind, sha256: string): Promise<Buffer> {
    const blobs = this.#opened();
    const bytes = await asStorage(() => getContent(blobs, keyOfContent(scope, kind, sha256, generation), sha256));
    if (!bytes) throw new StorageError('corrupt', 'A value is missing in the blob store');
    return bytes;
  }

  #opened(): BlobStore {
    if (this.#blobs) return this.#blobs;
    throw new StorageError('io', 'The value is in a blob store, and none is set');
  }
}

async function asStorage<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof BlobError)) throw error;
    throw new StorageError(error.failure === 'damaged' ? 'corrupt' : 'io', error.message);
  }
}
