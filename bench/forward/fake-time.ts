/** A clock that goes when it is told to, and whose timers are due by it. */
interface Timer {
  at: number;
  done: () => void;
}

export class FakeTime {
  #now: number;
  readonly #timers = new Set<Timer>();
  #resting: () => void = () => {};
  /** How often somebody was woken because the time had come. */
  rung = 0;

  constructor(now: number) {
    this.#now = now;
  }

  readonly clock = { now: () => this.#now, monotonic: () => this.#now };

  /** As `setTimeout`. @returns how to take it back */
  readonly after = (ms: number, done: () => void): (() => void) => {
    const timer = { at: this.#now + ms, done };
    this.#timers.add(timer);
    this.#resting();
    return () => void this.#timers.delete(timer);
  };

  /** Lets so much time go by; whoever is woken on the way does what it has to do and rests again before more goes by. */
  async pass(ms: number): Promise<void> {
    const until = this.#now + ms;
    // Who was told of something is at work now, and rests when it is done.
    await new Promise(setImmediate);
    while (this.#timers.size === 0) await this.#nextRest();
    for (;;) {
      const next = [...this.#timers].sort((a, b) => a.at - b.at)[0];
      if (!next || next.at > until) break;
      this.#now = Math.max(this.#now, next.at);
      this.#timers.delete(next);
      this.rung++;
      const rests = this.#nextRest();
      next.done();
      await rests;
    }
    this.#now = until;
  }

  #nextRest(): Promise<void> {
    return new Promise((resolve) => {
      this.#resting = resolve;
    });
  }
}
