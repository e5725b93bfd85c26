/** Keeps requests to a blob store within bounds: some at a time, and for a moment none after one that failed, so that nobody waits in a line for it. */
import { BlobError, type BlobStore } from './blob-store.ts';

const atOnce = 16;
const pauseMs = 1000;

export class GuardedBlobs implements BlobStore {
  readonly #blobs: BlobStore;
  readonly #pauseMs: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #failure: { error: BlobError; untilMs: number } | null = null;

  constructor(blobs: BlobStore, pause = pauseMs) {
    this.#blobs = blobs;
    this.#pauseMs = pause;
  }

  put(key: string, bytes: Uint8Array): Promise<void> {
    return this.#run(() => this.#blobs.put(key, bytes));
  }

  get(key: string, signal?: AbortSignal): Promise<Uint8Array | null> {
    return this.#run(() => this.#blobs.get(key, signal));
  }

  remove(key: string): Promise<void> {
    return this.#run(() => this.#blobs.remove(key));
  }

  list(folder: string): Promise<string[]> {
    return this.#run(() => this.#blobs.list(folder));
  }

  async #run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= atOnce) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running++;
    try {
      if (this.#failure && performance.now() < this.#failure.untilMs) throw this.#failure.error;
      return await work();
    } catch (error) {
      if (error instanceof BlobError && error.failure === 'unavailable' && error !== this.#failure?.error)
        this.#failure = { error, untilMs: performance.now() + this.#pauseMs };
      throw error;
    } finally {
      // The next one takes its place.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }
}
