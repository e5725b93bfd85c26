/**
 * Whether those who follow a stream may still do so: keys are revoked and logins end while a stream goes on. All streams of a gateway are
 * looked at together, once a second, with one question for each credential however many streams it has.
 */
import { setImmediate as turn } from 'node:timers/promises';

/** How long a reader may hear of things after its credential has ended (docs/reference/access.md#open-streams). */
const everyMs = 1000;

/** Calls back when the reader of a stream may read no more, until the returned function is called. */
export type Watch = (ended: () => void) => () => void;

interface Watched {
  isAdmitted(): Promise<boolean>;
  ended(): void;
}

export class StreamAdmissions {
  readonly #watched = new Map<string, Set<Watched>>();
  #timer: NodeJS.Timeout | null = null;
  #isLooking = false;

  /**
   * @param who what decides whether the stream may go on: the same for streams that end together
   * @param isAdmitted asks; of streams of the same `who` only one is asked
   * @param ended is called when the stream may not go on, each second until it is no longer watched
   * @returns how to watch it no more
   */
  watch(who: string, isAdmitted: () => Promise<boolean>, ended: () => void): () => void {
    const one: Watched = { isAdmitted, ended };
    const group = this.#watched.get(who) ?? new Set();
    this.#watched.set(who, group.add(one));
    this.#timer ??= setInterval(() => void this.#look(), everyMs).unref();
    return () => {
      group.delete(one);
      if (group.size === 0 && this.#watched.get(who) === group) this.#watched.delete(who);
      if (this.#watched.size > 0 || this.#timer === null) return;
      clearInterval(this.#timer);
      this.#timer = null;
    };
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    for (const group of [...this.#watched.values()]) {
      const [first] = group;
      if (first && !(await first.isAdmitted())) for (const { ended } of [...group]) ended();
      // Requests that came meanwhile are not to wait for all of them.
      await turn();
    }
    this.#isLooking = false;
  }
}
