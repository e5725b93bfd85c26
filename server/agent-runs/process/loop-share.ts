import { setTimeout as after, setImmediate } from 'node:timers/promises';

const sliceMs = 2;
/** Minimum of a slice, because loading its data takes unmeasured time. */
const leastMs = 0.25;
/** Pause for each millisecond of work. The scheduler of a busy machine delays a loop that always has work. */
const restMs = 3;

/**
 * Work on the event loop that takes a quarter of it at most. All who work through one share take turns: two milliseconds of work, then a pause of
 * six.
 */
export class LoopShare {
  #turn: Promise<void> = Promise.resolve();
  #spentMs = 0;

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
    const began = performance.now();
    let isMore = true;
    while (isMore && performance.now() - began < sliceMs) isMore = work();
    this.#spentMs += Math.max(leastMs, performance.now() - began);
    if (this.#spentMs < sliceMs) await setImmediate();
    else {
      await after(restMs * this.#spentMs);
      this.#spentMs = 0;
    }
    return isMore;
  }
}
