/** Blobs in a folder, which all gateways share. */
import { randomUUID } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFolder, writeNewFile } from '../platform/replace-file.ts';
import { BlobError, type BlobStore, listedMax } from './blob-store.ts';

const attemptsMax = 5;

export class FolderBlobs implements BlobStore {
  readonly #root: string;
  readonly #listedMax: number;

  /** @param listed most keys of one list */
  constructor(root: string, listed = listedMax) {
    this.#root = root;
    this.#listedMax = listed;
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    const file = join(this.#root, key);
    // Listed like a blob, so that what a crash leaves is removed with its folder.
    const temporary = `${file}.${randomUUID()}.new`;
    await withCode(async () => {
      for (let attempt = 1; ; attempt++) {
        try {
          await makeFolder(dirname(file));
          await writeNewFile(temporary, bytes);
          break;
        } catch (error) {
          // Another process has just removed the empty folder.
          if (codeOf(error) !== 'ENOENT' || attempt === attemptsMax) throw error;
        }
      }
      await rename(temporary, file);
      await syncFolder(dirname(file));
    });
  }

  async get(key: string, signal?: AbortSignal): Promise<Uint8Array | null> {
    signal?.throwIfAborted();
    return withCode(async () => {
      try {
        return await readFile(join(this.#root, key));
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return null;
        throw error;
      }
    });
  }

  async remove(key: string): Promise<void> {
    await withCode(() => rm(join(this.#root, key), { force: true }));
    // Folders are removed when they are empty.
    try {
      for (let folder = dirname(key); folder !== '.'; folder = dirname(folder)) await rmdir(join(this.#root, folder));
    } catch {}
  }

  list(folder: string, after = ''): Promise<string[]> {
    return withCode(async () => {
      const keys: string[] = [];
      for await (const key of this.#keysIn(folder)) if (key > after && keys.push(key) === this.#listedMax) break;
      return keys;
    });
  }

  /** In order. */
  async *#keysIn(folder: string): AsyncIterable<string> {
    let entries: Dirent[] = [];
    try {
      entries = await readdir(join(this.#root, folder), { withFileTypes: true });
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error;
    }
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const key = `${folder}${entry.name}`;
      if (entry.isDirectory()) yield* this.#keysIn(`${key}/`);
      else yield key;
    }
  }
}

/** Durable with all folders that it needs. */
async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  // Each that is new is an entry of the one above it.
  for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made));
}

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

async function withCode<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (codeOf(error) === '') throw error;
    throw new BlobError('unavailable', `The folder of blobs cannot be used (${codeOf(error)})`, error);
  }
}
