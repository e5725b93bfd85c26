/**
 * Admission of open streams: keys are revoked and logins end while a stream is open. All streams of a gateway are checked together once a
 * second, once for each credential.
 */
import { setImmediate as turn } from 'node:timers/promises';

/** How long a stream may continue after its credential has ended (docs/reference/access.md#open-streams). */
const checkIntervalMs = 1000;

/** Calls back when the reader of a stream loses its permission, until the returned function is called. */
export type Watch = (ended: () => void) => () => void;

interface WatchedStream {
  isAdmitted(): Promise<boolean>;
  ended(): void;
}

export class StreamAdmissions {
  readonly #watched = new Map<string, Set<WatchedStream>>();
  #timer: NodeJS.Timeout | null = null;
  #isChecking = false;

  /**
   * @param key of the decision: streams with the same key are checked once
   * @param isAdmitted the check
   * @param ended called each second while the stream is not admitted
   * @returns stops the watch
   */
  watch(key: string, isAdmitted: () => Promise<boolean>, ended: () => void): () => void {
    const stream: WatchedStream = { isAdmitted, ended };
    const group = this.#watched.get(key) ?? new Set();
    this.#watched.set(key, group.add(stream));
    this.#timer ??= setInterval(() => void this.#check(), checkIntervalMs).unref();
    return () => {
      group.delete(stream);
      if (group.size === 0 && this.#watched.get(key) === group) this.#watched.delete(key);
      if (this.#watched.size > 0 || this.#timer === null) return;
      clearInterval(this.#timer);
      this.#timer = null;
    };
  }

  async #check(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    for (const group of [...this.#watched.values()]) {
      const [first] = group;
      if (first && !(await first.isAdmitted())) for (const { ended } of [...group]) ended();
      // Lets pending requests run in between.
      await turn();
    }
    this.#isChecking = false;
  }
}
