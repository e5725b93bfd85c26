/** Keeps requests to a blob store within bounds: some at a time, and for a moment none after one that failed, so that nobody waits in a line for it. */
import { BlobError, type BlobStore } from './blob-store.ts';

const atOnce = 16;
/** After a first failure; doubled with each further one. */
const pauseMs = { first: 1000, most: 8000 } as const;

export class GuardedBlobs implements BlobStore {
  readonly #blobs: BlobStore;
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #failure: { error: BlobError; untilMs: number } | null = null;
  #nextPauseMs: number = pauseMs.first;

  constructor(blobs: BlobStore) {
    this.#blobs = blobs;
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

  list(folder: string, after?: string): Promise<string[]> {
    return this.#run(() => this.#blobs.list(folder, after));
  }

  get #isPaused(): boolean {
    return this.#failure !== null && performance.now() < this.#failure.untilMs;
  }

  async #run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= atOnce) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running++;
    try {
      if (this.#isPaused) throw this.#failure?.error;
      const result = await work();
      this.#nextPauseMs = pauseMs.first;
      return result;
    } catch (error) {
      // Of those that fail together, one counts.
      if (error instanceof BlobError && error.failure === 'unavailable' && !this.#isPaused) {
        this.#failure = { error, untilMs: performance.now() + this.#nextPauseMs };
        this.#nextPauseMs = Math.min(2 * this.#nextPauseMs, pauseMs.most);
      }
      throw error;
    } finally {
      // The next one takes its place.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }
}
