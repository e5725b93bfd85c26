/**
 * Admission of open streams: keys are revoked and logins end while a stream is open. All streams of a gateway are checked together once a
 * second: one question tells which credentials are as they were, and only the others are authenticated again.
 */
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import type { Principal } from '../identity/authenticator.ts';

/** How long a stream may continue after its credential has ended (docs/reference/access.md#open-streams). */
const checkIntervalMs = 1000;
/** How long streams continue while the store of credentials cannot be used: nothing can be revoked then. */
const unknownMaxMs = 30_000;
/** For an answer about all credentials. */
const answerWithinMs = 5_000;
/** Each credential is authenticated again at least this often, which also records that it is used. */
const authenticateEveryMs = 60_000;

/** Calls back when the reader of a stream loses its permission, until the returned function is called. */
export type Watch = (ended: () => void) => () => void;

interface WatchedStream {
  /** Who was admitted. */
  principal: Principal;
  /** Whether the caller would be admitted now. Rejects when this cannot be determined. */
  isAdmitted(): Promise<boolean>;
  /** Called each second while it is not. */
  ended(): void;
}

interface Group {
  streams: Set<WatchedStream>;
  /** By the clock of `performance`, as are the following. */
  authenticatedMs: number;
  /** When its admission was last known. */
  knownMs: number;
}

export class StreamAdmissions {
  readonly #unchanged: (principals: readonly Principal[]) => Promise<ReadonlySet<Principal>>;
  readonly #watched = new Map<string, Group>();
  #timer: NodeJS.Timeout | null = null;
  #isChecking = false;

  /** @param unchanged those whose admission has certainly not changed */
  constructor(unchanged: (principals: readonly Principal[]) => Promise<ReadonlySet<Principal>>) {
    this.#unchanged = unchanged;
  }

  /**
   * @param key of the decision: streams with the same key are checked once
   * @returns stops the watch
   */
  watch(key: string, stream: WatchedStream): () => void {
    const group = this.#watched.get(key) ?? { streams: new Set(), authenticatedMs: performance.now(), knownMs: performance.now() };
    group.streams.add(stream);
    this.#watched.set(key, group);
    this.#timer ??= setInterval(() => void this.#check(), checkIntervalMs).unref();
    return () => {
      group.streams.delete(stream);
      if (group.streams.size === 0 && this.#watched.get(key) === group) this.#watched.delete(key);
      if (this.#watched.size > 0 || this.#timer === null) return;
      clearInterval(this.#timer);
      this.#timer = null;
    };
  }

  async #check(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    const groups = [...this.#watched.values()].flatMap((group) => {
      const [first] = group.streams;
      return first ? [{ group, first }] : [];
    });
    const late = sleep(answerWithinMs, null, { ref: false });
    const unchanged = await Promise.race([this.#unchanged(groups.map(({ first }) => first.principal)), late]).catch(() => null);
    for (const { group, first } of groups) {
      const now = performance.now();
      const isDue = now - group.authenticatedMs >= authenticateEveryMs;
      let isAdmitted: boolean | null = null;
      if (unchanged?.has(first.principal) && !isDue) isAdmitted = true;
      else if (unchanged) {
        group.authenticatedMs = now;
        isAdmitted = await first.isAdmitted().catch(() => null);
        // Lets pending requests run in between.
        await turn();
      }
      if (isAdmitted !== null) group.knownMs = now;
      if (isAdmitted === false || now - group.knownMs > unknownMaxMs) for (const { ended } of [...group.streams]) ended();
    }
    this.#isChecking = false;
  }
}
