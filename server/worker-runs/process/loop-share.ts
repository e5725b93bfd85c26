import { setTimeout as after, setImmediate } from 'node:timers/promises';

const sliceMs = 4;

/**
 * Work on the event loop that leaves others their half of it. All who work through one share take turns: a few milliseconds of work, then as
 * long a pause.
 */
export class LoopShare {
  #turn: Promise<void> = Promise.resolve();
  #spentMs = 0;

  /** @param work does one thing and says whether there is more to do */
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
    this.#spentMs += performance.now() - began;
    if (this.#spentMs < sliceMs) await setImmediate();
    else {
      await after(this.#spentMs);
      this.#spentMs = 0;
    }
    return isMore;
  }
}
