import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { BlobError, type BlobStore, removeSome } from '../../blobs/blob-store.ts';
import { StartRefusal } from '../../platform/start-refusal.ts';
import { type BackupPlace, isBackupName } from './backup-place.ts';
import { inStaging } from './folder-backups.ts';

/** A part takes seconds on a slow connection, so that a request for it does not run into its limit. */
const partBytes = 8 * 1024 * 1024;
const attempts = 5;
const firstPauseMs = 1000;

/** What tells of a complete backup. */
const manifest = z.object({
  files: z.array(z.object({ name: z.string().regex(/^[\w-]+\.db$/), bytes: z.int().nonnegative(), sha256: z.array(z.hash('sha256')) })),
});
type Manifest = z.infer<typeof manifest>;

const manifestKey = (name: string) => `complete/${name}.json`;
const begunKey = (name: string) => `begun/${name}`;
const partKey = (name: string, file: string, index: number) => `parts/${name}/${file}/${String(index).padStart(6, '0')}`;

/**
 * Backups in a bucket: each store in parts of 8 MiB, `parts/NAME/telemetry.db/000000` and so on, which are the file one after another. A backup is
 * complete when it has a manifest, with a hash of each part; `begun/NAME` tells which parts to remove if it never gets one.
 */
export class BucketBackups implements BackupPlace {
  readonly #blobs: BlobStore;
  readonly #staging: string;

  /** @param staging folder for the copies, until they are in the bucket */
  constructor(blobs: BlobStore, staging: string) {
    this.#blobs = blobs;
    this.#staging = staging;
  }

  async names(): Promise<string[]> {
    return namesIn(await retried(() => this.#blobs.list('complete/')), 'complete/');
  }

  async add(name: string, copyTo: (folder: string) => Promise<unknown>): Promise<void> {
    await inStaging(this.#staging, async (folder) => {
      await copyTo(folder);
      await this.#removeUnfinished();
      await retried(() => this.#blobs.put(begunKey(name), Buffer.from(name)));
      const files: Manifest['files'] = [];
      for (const file of readdirSync(folder).filter((found) => found.endsWith('.db') && found !== 'lock.db'))
        files.push(await this.#upload(name, join(folder, file), file));
      await retried(() => this.#blobs.put(manifestKey(name), Buffer.from(JSON.stringify({ files } satisfies Manifest))));
      await retried(() => this.#blobs.remove(begunKey(name)));
    });
  }

  async fetch(name: string, to: string): Promise<void> {
    const found = await retried(() => this.#blobs.get(manifestKey(name)));
    const read = found && manifest.safeParse(JSON.parse(Buffer.from(found).toString()));
    if (!read?.success) throw new StartRefusal(`The backup ${name} has no valid manifest`);
    for (const { name: file, bytes, sha256 } of read.data.files) {
      const path = join(to, file);
      const handle = await open(path, 'wx', 0o600);
      try {
        for (const [index, hash] of sha256.entries()) {
          const part = await retried(() => this.#blobs.get(partKey(name, file, index)));
          if (!part || hashOf(part) !== hash)
            throw new StartRefusal(`Part ${index} of ${file} of the backup ${name} is missing or damaged`);
          await handle.write(part);
        }
        await handle.sync();
      } finally {
        await handle.close();
      }
      if (statSync(path).size !== bytes) throw new StartRefusal(`${file} of the backup ${name} is not complete`);
    }
  }

  async remove(name: string): Promise<void> {
    await retried(() => this.#blobs.put(begunKey(name), Buffer.from(name)));
    await retried(() => this.#blobs.remove(manifestKey(name)));
    await this.#removeParts(name);
  }

  async #upload(name: string, path: string, file: string): Promise<Manifest['files'][number]> {
    const handle = await open(path, 'r');
    const sha256: string[] = [];
    let bytes = 0;
    try {
      for (;;) {
        const { bytesRead, buffer } = await handle.read({ buffer: Buffer.allocUnsafe(partBytes), length: partBytes });
        if (bytesRead === 0) return { name: file, bytes, sha256 };
        const part = buffer.subarray(0, bytesRead);
        await retried(() => this.#blobs.put(partKey(name, file, sha256.length), part));
        sha256.push(hashOf(part));
        bytes += bytesRead;
      }
    } finally {
      await handle.close();
    }
  }

  /** Parts of backups that were begun and have no manifest: of a program that was killed, or of a removal that was. */
  async #removeUnfinished(): Promise<void> {
    const complete = new Set(await this.names());
    for (const name of namesIn(await retried(() => this.#blobs.list('begun/')), 'begun/')) {
      if (complete.has(name)) await retried(() => this.#blobs.remove(begunKey(name)));
      else await this.#removeParts(name);
    }
  }

  async #removeParts(name: string): Promise<void> {
    for (let before: readonly string[] = []; ; ) {
      const removed = await retried(() => removeSome(this.#blobs, `parts/${name}/`, before));
      if (removed.length === 0) break;
      before = removed;
    }
    await retried(() => this.#blobs.remove(begunKey(name)));
  }
}

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const namesIn = (keys: readonly string[], folder: string): string[] =>
  keys
    .map((key) => key.slice(folder.length).replace(/\.json$/, ''))
    .filter(isBackupName)
    .sort();

/** Repeats a request to a bucket that is busy or away for a moment. */
async function retried<T>(request: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof BlobError) || error.failure !== 'unavailable' || attempt >= attempts) throw error;
    }
    await sleep(firstPauseMs * 2 ** (attempt - 1));
  }
}
