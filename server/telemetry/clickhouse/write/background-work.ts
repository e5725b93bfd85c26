/** Work in steps, which go on after a failure. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Pause after a step that failed. */
const pauseMs = 1000;

export class BackgroundWork {
  readonly #step: () => Promise<boolean>;
  readonly #stopped = new AbortController();
  #running: Promise<void> | null = null;
  #isDue = false;

  /** @param step returns whether work is left */
  constructor(step: () => Promise<boolean>) {
    this.#step = step;
  }

  start(): void {
    this.#isDue = true;
    if (this.#stopped.signal.aborted) return;
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
      if (this.#isDue) this.start();
    });
  }

  /** Resolves when the step that is running has ended. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopped;
    while (this.#isDue && !signal.aborted) {
      this.#isDue = false;
      try {
        if (await this.#step()) this.#isDue = true;
      } catch {
        this.#isDue = true;
        await sleep(pauseMs, undefined, { signal }).catch(() => {});
      }
    }
  }
}
