/**
 * Asks again when something changed, but never in a rush: at once after quiet, one question at a time, and after a slow
 * answer a pause of three times as long, so that a large trace that grows does not keep the page busy.
 */
const shortestPauseMs = 250;

export class Paced {
  #ask: () => Promise<unknown>;
  #state: 'quiet' | 'asking' | 'resting' = 'quiet';
  #wanted = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(ask: () => Promise<unknown>) {
    this.#ask = ask;
  }

  want() {
    if (this.#state === 'quiet') void this.#run();
    else this.#wanted = true;
  }

  stop() {
    clearTimeout(this.#timer);
    this.#state = 'quiet';
    this.#wanted = false;
  }

  async #run() {
    this.#state = 'asking';
    this.#wanted = false;
    const began = Date.now();
    await this.#ask().catch(() => {});
    if (this.#state !== 'asking') return;
    this.#state = 'resting';
    this.#timer = setTimeout(
      () => {
        this.#state = 'quiet';
        if (this.#wanted) void this.#run();
      },
      Math.max(shortestPauseMs, (Date.now() - began) * 3),
    );
  }
}
