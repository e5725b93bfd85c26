/** Work that goes on in steps, of one thing after the other. */
import { setTimeout as sleep } from 'node:timers/promises';

const pauseMaxMs = 60_000;

interface Parts {
  /** @returns whether work is left */
  step(key: string): Promise<boolean>;
  /** Is told of each step that failed. */
  onFailure(key: string, error: unknown): void;
  /** Pause after a first failure; each further one of the same key doubles it. */
  firstPauseMs?: number;
}

interface Due {
  /** By performance.now(). */
  atMs: number;
  /** Since the last step that did not fail. */
  failures: number;
}

export class BackgroundWork {
  readonly #parts: Parts;
  readonly #firstPauseMs: number;
  readonly #stopped = new AbortController();
  #woken = new AbortController();
  /** In the order of their turns. */
  readonly #due = new Map<string, Due>();
  #running: Promise<void> | null = null;

  constructor({ firstPauseMs = 1000, ...parts }: Parts) {
    this.#parts = parts;
    this.#firstPauseMs = firstPauseMs;
  }

  /** There is work for a key. One that failed keeps its pause. */
  start(key: string): void {
    if (!this.#due.has(key)) this.#due.set(key, { atMs: 0, failures: 0 });
    this.#woken.abort();
    this.#running ??= this.#run();
  }

  /** Resolves when the step that is running has ended. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#stopped.signal.aborted) {
      const next = this.#next();
      if (!next) break;
      const [key, due] = next;
      const waitMs = due.atMs - performance.now();
      if (waitMs > 0) await this.#sleep(waitMs);
      else await this.#takeTurn(key, due);
    }
    this.#running = null;
  }

  async #takeTurn(key: string, { failures }: Due): Promise<void> {
    this.#due.delete(key);
    try {
      if (await this.#parts.step(key)) this.start(key);
    } catch (error) {
      this.#parts.onFailure(key, error);
      this.#due.set(key, { atMs: performance.now() + pauseAfter(failures + 1, this.#firstPauseMs), failures: failures + 1 });
    }
  }

  #next(): [string, Due] | null {
    let next: [string, Due] | null = null;
    for (const entry of this.#due) if (!next || entry[1].atMs < next[1].atMs) next = entry;
    return next;
  }

  async #sleep(ms: number): Promise<void> {
    this.#woken = new AbortController();
    const signal = AbortSignal.any([this.#stopped.signal, this.#woken.signal]);
    await sleep(ms, undefined, { signal }).catch(() => {});
  }
}

export const pauseAfter = (failures: number, firstMs: number): number => Math.min(firstMs * 2 ** (failures - 1), pauseMaxMs);
