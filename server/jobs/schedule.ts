/** Repeats work, one round at a time, until it is stopped. */
export class Schedule {
  readonly #work: () => Promise<void>;
  readonly #everyMs: number;
  readonly #onError: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #isStopped = false;

  /** @param everyMs pause after a round; a failed round is reported, and repeated after the same pause */
  constructor(work: () => Promise<void>, everyMs: number, onError: (error: unknown) => void) {
    this.#work = work;
    this.#everyMs = everyMs;
    this.#onError = onError;
  }

  start(): this {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.now(), this.#everyMs).unref();
    return this;
  }

  /** Runs the first round. Rejects when it fails. */
  async open(): Promise<void> {
    await this.#work();
    this.start();
  }

  /** Runs a round after the one that is running. Never rejects. */
  now(): Promise<void> {
    clearTimeout(this.#timer);
    this.#running = this.#running.then(() => this.#round());
    return this.#running;
  }

  /** Resolves when the running round has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  async #round(): Promise<void> {
    if (this.#isStopped) return;
    await this.#work().catch(this.#onError);
    if (!this.#isStopped) this.start();
  }
}
