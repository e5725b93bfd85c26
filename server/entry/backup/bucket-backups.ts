import { createHash } from 'node:crypto';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { BlobError, type BlobStore, removeSome } from '../../blobs/blob-store.ts';
import { StartRefusal } from '../../platform/start-refusal.ts';
import { type BackupPlace, isBackupName, isStoreFile, sourceFile } from './backup-place.ts';
import { inStaging } from './folder-backups.ts';

/** A request for a part has seven seconds: an uplink of 2.5 Mbit/s is enough. */
const partBytes = 2 * 1024 * 1024;
/** A service that is away for half an hour does not end a backup. */
const patienceMs = 30 * 60_000;
const pauseMs = { first: 1000, most: 60_000 } as const;

/** Written last: a backup with one is complete. */
const manifest = z.object({
  files: z.array(z.object({ name: z.string().refine(isStoreFile), bytes: z.int().nonnegative(), sha256: z.array(z.hash('sha256')) })),
});
type Manifest = z.infer<typeof manifest>;

const manifestKey = (name: string) => `complete/${name}.json`;
const begunKey = (name: string) => `begun/${name}`;
const partKey = (name: string, file: string, index: number) => `parts/${name}/${file}/${String(index).padStart(6, '0')}`;

/**
 * Backups in a bucket: each store in parts of 2 MiB, `parts/NAME/telemetry.db/000000` and so on, which are the file one after another. A backup is
 * complete when it has a manifest, with a hash of each part. `begun/NAME` names parts to remove if it never gets one.
 */
export class BucketBackups implements BackupPlace {
  readonly #blobs: BlobStore;
  readonly #staging: string;

  /** @param staging folder for the copies, until they are in the bucket */
  constructor(blobs: BlobStore, staging: string) {
    this.#blobs = blobs;
    this.#staging = staging;
  }

  names(): Promise<string[]> {
    return this.#namesIn('complete/');
  }

  async add(name: string, copyTo: (folder: string) => Promise<unknown>): Promise<void> {
    await inStaging(this.#staging, async () => {
      await copyTo(this.#staging);
      await retried(() => this.#blobs.put(begunKey(name), Buffer.from(name)));
      const files: Manifest['files'] = [];
      for (const file of readdirSync(this.#staging).filter(isStoreFile))
        files.push(await this.#upload(name, join(this.#staging, file), file));
      await retried(() => this.#blobs.put(manifestKey(name), Buffer.from(JSON.stringify({ files } satisfies Manifest))));
    });
  }

  /** Parts of backups that were begun and have no manifest: their program was killed, or was killed while it removed them. */
  async tidy(): Promise<void> {
    rmSync(this.#staging, { recursive: true, force: true });
    for (const name of await this.#namesIn('begun/')) {
      if (await retried(() => this.#blobs.get(manifestKey(name)))) await retried(() => this.#blobs.remove(begunKey(name)));
      else await this.#removeParts(name);
    }
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

  async source(): Promise<string | null> {
    const found = await retried(() => this.#blobs.get(sourceFile));
    return found && Buffer.from(found).toString().trim();
  }

  setSource(id: string): Promise<void> {
    return retried(() => this.#blobs.put(sourceFile, Buffer.from(`${id}\n`)));
  }

  /** A service may list fewer keys than it is asked for. */
  async #namesIn(folder: string): Promise<string[]> {
    const keys: string[] = [];
    for (;;) {
      const page = await retried(() => this.#blobs.list(folder, keys.at(-1)));
      // A service that does not know `start-after` begins again.
      if (page.length === 0 || (page.at(-1) ?? '') <= (keys.at(-1) ?? '')) break;
      keys.push(...page);
    }
    return keys
      .map((key) => key.slice(folder.length).replace(/\.json$/, ''))
      .filter(isBackupName)
      .sort();
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

/** Repeats a request to a bucket that is busy or away. */
async function retried<T>(request: () => Promise<T>): Promise<T> {
  const beganAt = performance.now();
  for (let pause: number = pauseMs.first; ; pause = Math.min(2 * pause, pauseMs.most)) {
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof BlobError) || error.failure !== 'unavailable' || performance.now() - beganAt > patienceMs) throw error;
      if (pause === pauseMs.first) process.stderr.write(`${error.message}. It is tried again for half an hour.\n`);
    }
    await sleep(pause);
  }
}
