/** A clock that advances only in `advance`, with timers that fire by it. */
interface Timer {
  at: number;
  done: () => void;
}

export class FakeTime {
  #now: number;
  readonly #timers = new Set<Timer>();
  #onTimerSet: () => void = () => {};
  /** How many timers have fired. */
  fired = 0;

  constructor(now: number) {
    this.#now = now;
  }

  readonly clock = { now: () => this.#now, monotonic: () => this.#now };

  /** As `setTimeout`. @returns cancels the timer */
  readonly after = (ms: number, done: () => void): (() => void) => {
    const timer = { at: this.#now + ms, done };
    this.#timers.add(timer);
    this.#onTimerSet();
    return () => void this.#timers.delete(timer);
  };

  /** Advances the clock. After each timer that fires, waits until its work has set a new timer. */
  async advance(ms: number): Promise<void> {
    const until = this.#now + ms;
    // Work that is in progress sets a timer when it is done.
    await new Promise(setImmediate);
    while (this.#timers.size === 0) await this.#nextTimerSet();
    for (;;) {
      const next = [...this.#timers].sort((a, b) => a.at - b.at)[0];
      if (!next || next.at > until) break;
      this.#now = Math.max(this.#now, next.at);
      this.#timers.delete(next);
      this.fired++;
      const timerSet = this.#nextTimerSet();
      next.done();
      await timerSet;
    }
    this.#now = until;
  }

  #nextTimerSet(): Promise<void> {
    return new Promise((resolve) => {
      this.#onTimerSet = resolve;
    });
  }
}
