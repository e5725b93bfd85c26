/**
 * One stream of commits for the whole page (`GET /v1/viewer/live`). It reconnects by itself, says how it stands, and tells its
 * listeners when they may have missed something: what was asked before it stood, or while it was away, is asked again. EventSource's
 * own retry is not used: it gives up for good on an answer that is no stream, and it does not say when it will try again.
 */
import type { LiveEvent } from '../../shared/contract/viewer.ts';

export type Connection =
  | { phase: 'connecting' }
  | { phase: 'live' }
  /** Not connected since `failures` attempts; the next one is at `retryAt` (epoch ms). */
  | { phase: 'waiting'; failures: number; retryAt: number }
  /** Let go on purpose, because nobody looks. */
  | { phase: 'asleep' };

/** One lost connection is a restart of the gateway; from the second on the reader is told. */
const toldFrom = 2;
export const isAway = (connection: Connection) => connection.phase === 'waiting' && connection.failures >= toldFrom;

/** `gap`: nobody listened for a while, anything may have changed. */
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
  /** Whether something may have changed that the page has asked about and not heard of. */
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
   * To be awaited before the gateway is asked: an answer given once the stream stands needs no second look, and a trace of a hundred
   * thousand spans is not read twice because its page has just been opened.
   */
  readonly beforeAsking = async (): Promise<void> => {
    if (this.#state.phase === 'connecting' && !this.#missed) await this.#settled();
    if (this.#state.phase !== 'live') this.#missed = true;
  };

  /** Resolves when the stream stands, or will not for now. */
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
