/**
 * Refreshes after changes at a limited rate: at once when idle, one request at a time, and after a slow
 * response a pause of three times its duration, so that a large trace that grows does not keep the page busy.
 */
const pauseMsMin = 250;

export class RefreshPacer {
  #refresh: () => Promise<unknown>;
  #state: 'idle' | 'refreshing' | 'pausing' = 'idle';
  #isRequested = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(refresh: () => Promise<unknown>) {
    this.#refresh = refresh;
  }

  request() {
    if (this.#state === 'idle') void this.#run();
    else this.#isRequested = true;
  }

  stop() {
    clearTimeout(this.#timer);
    this.#state = 'idle';
    this.#isRequested = false;
  }

  async #run() {
    this.#state = 'refreshing';
    this.#isRequested = false;
    const startedMs = Date.now();
    await this.#refresh().catch(() => {});
    if (this.#state !== 'refreshing') return;
    this.#state = 'pausing';
    this.#timer = setTimeout(
      () => {
        this.#state = 'idle';
        if (this.#isRequested) void this.#run();
      },
      Math.max(pauseMsMin, (Date.now() - startedMs) * 3),
    );
  }
}
