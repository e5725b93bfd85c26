/** Long texts of which the large ones are in a blob store. */
import { BlobError, type BlobPlace, type BlobStore, removeSome } from '../../../blobs/blob-store.ts';
import {
  blobBytesMin,
  folderOfApp,
  folderOfContent,
  generationOf,
  getContent,
  keyOfContent,
  putContent,
  sha256Of,
} from '../../../blobs/contents.ts';
import { openBlobs } from '../../../blobs/open-blobs.ts';
import type { Scope } from '../../../platform/scope.ts';
import { StorageError } from '../../storage-error.ts';
import type { StoredTextRow, TextRow } from '../stored-rows.ts';
import { TextCache } from './text-cache.ts';
import { wordsOf } from './text-words.ts';

/** Where large texts go. It can be sent to threads. */
export interface TextBlobPlace {
  place: BlobPlace;
  /** Smaller texts stay in the database. 256 KiB by default. */
  bytesMin?: number;
}

const kind = 'text';
/** A screen that follows a running trace makes its copy again after each change. */
const cachedLengthMax = 16 * 1024 * 1024;

/** A text that was read, or the reason why it cannot be. */
export type ReadText = { hash: string; text: string } | UnreadText;

export interface UnreadText {
  hash: string;
  unread: string;
  /** It may be read later. */
  isAway: boolean;
}

export class TextBlobs {
  readonly #blobs: BlobStore | null;
  readonly #bytesMin: number;
  readonly #cache = new TextCache(cachedLengthMax);

  /** @param of null: all texts stay in the database */
  constructor(of: TextBlobPlace | null) {
    this.#blobs = of && openBlobs(of.place);
    this.#bytesMin = of?.bytesMin ?? blobBytesMin;
  }

  /**
   * Rows of texts. Large ones are durable in their blobs when it resolves.
   * @throws StorageError when they cannot be stored now
   */
  store(scope: Scope, texts: readonly TextRow[], generation: bigint): Promise<StoredTextRow[]> {
    return Promise.all(texts.map((row) => this.#stored(scope, row, generation)));
  }

  async #stored(scope: Scope, { hash, text }: TextRow, generation: bigint): Promise<StoredTextRow> {
    const blobs = this.#blobs;
    // UTF-8 takes at most three bytes for a UTF-16 unit.
    if (!blobs || text.length * 3 < this.#bytesMin) return { hash, text };
    const bytes = Buffer.from(text);
    if (bytes.length < this.#bytesMin) return { hash, text };
    const sha256 = sha256Of(bytes);
    const key = keyOfContent(scope, kind, sha256, generation);
    await asStorage(() => putContent(blobs, key, bytes));
    return { hash, text: '', blob: key.slice(folderOfApp(scope).length), blob_bytes: bytes.length, ...wordsOf(text) };
  }

  /** Whether a text goes into a blob. @param bytes its size */
  takes(bytes: number): boolean {
    return this.#blobs !== null && bytes >= this.#bytesMin;
  }

  /**
   * The texts of rows. What fails of one concerns that text alone.
   * @throws the reason of the signal
   */
  read(scope: Scope, rows: readonly StoredTextRow[], signal?: AbortSignal): Promise<ReadText[]> {
    return Promise.all(rows.map((row) => this.#read(scope, row, signal)));
  }

  async #read(scope: Scope, { hash, text, blob = '' }: StoredTextRow, signal?: AbortSignal): Promise<ReadText> {
    if (blob === '') return { hash, text };
    const key = `${folderOfApp(scope)}${blob}`;
    const cached = this.#cache.get(key);
    if (cached !== null) return { hash, text: cached };
    if (!this.#blobs) return { hash, unread: notSet, isAway: true };
    try {
      const bytes = await getContent(this.#blobs, key, shaOf(blob), signal);
      if (!bytes) return { hash, unread: 'its blob is missing', isAway: false };
      const read = bytes.toString();
      this.#cache.put(key, read);
      return { hash, text: read };
    } catch (error) {
      if (!(error instanceof BlobError)) throw error;
      return { hash, unread: error.message, isAway: error.failure !== 'damaged' };
    }
  }

  /** Removes the blobs of a content that are older than a generation. @throws StorageError */
  async removeOlder(scope: Scope, sha256: string, below: bigint): Promise<void> {
    const blobs = this.#required();
    await asStorage(async () => {
      const keys = await blobs.list(folderOfContent(scope, kind, sha256));
      await Promise.all(keys.filter((key) => generationOf(key) < below).map((key) => blobs.remove(key)));
    });
  }

  /** @throws StorageError when no blob store is set */
  require(): void {
    this.#required();
  }

  /** Removes some blobs of an app, of any kind. @param before what the last call returned @returns those; none when it has none @throws StorageError */
  async removeOfApp(scope: Scope, before: readonly string[]): Promise<readonly string[]> {
    const blobs = this.#blobs;
    return blobs ? asStorage(() => removeSome(blobs, folderOfApp(scope), before)) : [];
  }

  #required(): BlobStore {
    if (this.#blobs) return this.#blobs;
    throw new BlobsAway({ message: notSet });
  }
}

/** A gateway without the settings of the others. */
const notSet = 'large values are in a blob store, and neither GLASSHOUSE_S3_URL nor GLASSHOUSE_BLOB_FOLDER is set';

/** Of a content, from the name of its blob in a row. */
export const shaOf = (blob: string): string => blob.split('/')[1] ?? '';

async function asStorage<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof BlobError ? new BlobsAway(error) : error;
  }
}

/** The blob store cannot be used now. What needs no blob can go on. */
export class BlobsAway extends StorageError {
  constructor({ message }: { message: string }) {
    super('io', message);
    this.isOfOne = true;
  }
}
