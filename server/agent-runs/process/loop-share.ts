import { setTimeout as after, setImmediate } from 'node:timers/promises';

const sliceMs = 2;
/** A slice counts at least this much, because loading its data takes unmeasured time. */
const leastMs = 0.25;
/** Pause for each millisecond of work. The scheduler of a busy machine delays a loop that always has work. */
const restMs = 3;

/**
 * Limits work to a quarter of the event loop. All work in one share takes turns: two milliseconds of work, then a pause of six.
 */
export class LoopShare {
  #turn: Promise<void> = Promise.resolve();
  #workedMs = 0;

  /** @param work does one step and returns whether there is more */
  async run(work: () => boolean): Promise<void> {
    for (let isMore = true; isMore; ) {
      const slice = this.#turn.then(() => this.#slice(work));
      this.#turn = slice.then(
        () => {},
        () => {},
      );
      isMore = await slice;
    }
  }

  async #slice(work: () => boolean): Promise<boolean> {
    const startedMs = performance.now();
    let isMore = true;
    while (isMore && performance.now() - startedMs < sliceMs) isMore = work();
    this.#workedMs += Math.max(leastMs, performance.now() - startedMs);
    if (this.#workedMs < sliceMs) await setImmediate();
    else {
      await after(restMs * this.#workedMs);
      this.#workedMs = 0;
    }
    return isMore;
  }
}
