/**
 * Admission of open streams: keys are revoked and logins end while a stream is open. All streams of a gateway are checked together once a
 * second: one question tells which credentials are as they were, and only the others are authenticated again.
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { Principal } from '../identity/authenticator.ts';

/** How long a stream may continue after its credential has ended (docs/reference/access.md#open-streams). */
const checkIntervalMs = 1000;
/** Each credential is authenticated again at least this often, which also records that it is used. */
const authenticateEveryMs = 60_000;

/** Calls back when the reader of a stream loses its permission, until the returned function is called. */
export type Watch = (ended: () => void) => () => void;

interface WatchedStream {
  /** Who was admitted. */
  principal: Principal;
  /** Whether the caller would be admitted now. */
  isAdmitted(): Promise<boolean>;
  /** Called each second while it is not. */
  ended(): void;
}

interface Group {
  streams: Set<WatchedStream>;
  /** By the clock of `performance`. */
  authenticatedMs: number;
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
    const group = this.#watched.get(key) ?? { streams: new Set(), authenticatedMs: performance.now() };
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
    // When it cannot be determined, the check of each decides.
    const unchanged = await this.#unchanged(groups.map(({ first }) => first.principal)).catch(() => new Set<Principal>());
    const now = performance.now();
    for (const { group, first } of groups) {
      if (unchanged.has(first.principal) && now - group.authenticatedMs < authenticateEveryMs) continue;
      group.authenticatedMs = now;
      if (!(await first.isAdmitted())) for (const { ended } of [...group.streams]) ended();
      // Lets pending requests run in between.
      await turn();
    }
    this.#isChecking = false;
  }
}
