/**
 * Live stream of commits for the page (`GET /v1/viewer/live`). Reconnects, reports its state, and signals a gap when commits may have been
 * missed, so that earlier answers are fetched again. EventSource's own retry is not used: it stops for good on an answer that is no stream,
 * and does not report its next attempt.
 */
import type { LiveEvent } from '../../shared/contract/viewer/viewer.ts';

export type Connection =
  | { phase: 'connecting' }
  | { phase: 'live' }
  /** Not connected since `failures` attempts; the next one is at `retryAt` (epoch ms). */
  | { phase: 'waiting'; failures: number; retryAt: number }
  /** Disconnected on purpose while the page is hidden. */
  | { phase: 'asleep' };

/** A first lost connection is a restart of the gateway; from the second one on the user is told. */
const toldFrom = 2;
export const isAway = (connection: Connection) => connection.phase === 'waiting' && connection.failures >= toldFrom;

/** `gap`: commits may have been missed. */
export type Signal = { gap: true } | ({ gap: false } & LiveEvent);

export interface Stream {
  close(): void;
}
export type OpenStream = (on: { open(): void; commit(data: string): void; failed(): void }) => Stream;

const firstDelayMs = 500;
const longestDelayMs = 10_000;
/** A question waits no longer than this for the first stream. */
const firstOpeningMs = 300;

/** Doubles from half a second to ten, with up to a fifth less so that many tabs do not reconnect together. */
export const retryDelayMs = (failures: number, random: number) =>
  Math.min(longestDelayMs, firstDelayMs * 2 ** Math.max(0, failures - 1)) * (1 - random / 5);

export class Live {
  #open: OpenStream;
  #stream: Stream | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #state: Connection = { phase: 'connecting' };
  /** Whether commits may have been missed. */
  #missed = false;
  #onState = new Set<() => void>();
  #onSignal = new Set<(signal: Signal) => void>();

  constructor(open: OpenStream) {
    this.#open = open;
  }

  get state(): Connection {
    return this.#state;
  }

  readonly watch = (changed: () => void) => {
    this.#onState.add(changed);
    return () => this.#onState.delete(changed);
  };

  readonly listen = (heard: (signal: Signal) => void) => {
    this.#onSignal.add(heard);
    return () => this.#onSignal.delete(heard);
  };

  /** Connects now, also when a later attempt is already planned. Does nothing while connected. */
  readonly connect = () => {
    if (this.#stream && this.#state.phase !== 'waiting') return;
    this.#drop();
    if (this.#state.phase !== 'waiting') this.#become({ phase: 'connecting' });
    this.#stream = this.#open({ open: this.#opened, commit: this.#committed, failed: this.#failed });
  };

  /**
   * Await before a request: an answer given while the stream is open needs no second request, so a trace of a hundred thousand spans is not
   * read twice when its page opens.
   */
  readonly beforeAsking = async (): Promise<void> => {
    if (this.#state.phase === 'connecting' && !this.#missed) await this.#settled();
    if (this.#state.phase !== 'live') this.#missed = true;
  };

  /** Resolves when the stream is open, or will not open for now. */
  #settled(): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#onState.delete(done);
        resolve();
      };
      const timer = setTimeout(done, firstOpeningMs);
      this.#onState.add(done);
    });
  }

  readonly sleep = () => {
    this.#missed = true;
    this.#drop();
    this.#become({ phase: 'asleep' });
  };

  #drop() {
    clearTimeout(this.#timer);
    this.#stream?.close();
    this.#stream = null;
  }

  #become(state: Connection) {
    this.#state = state;
    for (const changed of this.#onState) changed();
  }

  #tell(signal: Signal) {
    for (const heard of this.#onSignal) heard(signal);
  }

  #opened = () => {
    this.#failures = 0;
    this.#become({ phase: 'live' });
    if (!this.#missed) return;
    this.#missed = false;
    this.#tell({ gap: true });
  };

  #committed = (data: string) => {
    let event: LiveEvent;
    try {
      event = JSON.parse(data) as LiveEvent;
    } catch {
      this.#tell({ gap: true });
      return;
    }
    this.#tell({ gap: false, trace_ids: event.trace_ids ?? [], span_count: event.span_count ?? 0, more: event.more ?? false });
  };

  #failed = () => {
    this.#missed = true;
    this.#drop();
    this.#failures += 1;
    const delay = retryDelayMs(this.#failures, Math.random());
    this.#become({ phase: 'waiting', failures: this.#failures, retryAt: Date.now() + delay });
    this.#timer = setTimeout(this.connect, delay);
  };
}

export const concerns = (signal: Signal, traceId: string) => signal.gap || signal.more || signal.trace_ids.includes(traceId);
