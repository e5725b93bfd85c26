/**
 * Admission of open streams: keys are revoked and logins end while a stream is open. All streams of a gateway are checked together once a
 * second, once for each credential.
 */
import { setImmediate as turn } from 'node:timers/promises';

/** How long a reader may hear of things after its credential has ended (docs/reference/access.md#open-streams). */
const everyMs = 1000;

/** Calls back when the reader of a stream loses its permission, until the returned function is called. */
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
   * @param who key of the decision: streams with the same key are checked once
   * @param isAdmitted the check
   * @param ended called each second while the stream is not admitted
   * @returns stops the watch
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
      // Lets pending requests run in between.
      await turn();
    }
    this.#isLooking = false;
  }
}
