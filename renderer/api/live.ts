/**
 * Live stream of commits for the page (`GET /v1/viewer/live`). Reconnects, reports its state, and signals a gap when commits may have been
 * missed, so that earlier responses are fetched again. EventSource's own retry is not used: it stops for good on a response that is not a stream,
 * and does not report its next attempt.
 */
import type { LiveEvent } from '../../shared/contract/viewer/viewer.ts';

export type Connection =
  | { phase: 'connecting' }
  | { phase: 'live' }
  /** `failures` attempts in a row have failed; the next one is at `retryAt` (epoch ms). */
  | { phase: 'waiting'; failures: number; retryAt: number }
  /** Disconnected on purpose while the page is hidden. */
  | { phase: 'asleep' };

/** The first failure is usually a restart of the gateway; from the second one on the user is informed. */
const reportedFrom = 2;
export const isAway = (connection: Connection) => connection.phase === 'waiting' && connection.failures >= reportedFrom;

/** `gap`: commits may have been missed. */
export type Signal = { gap: true } | ({ gap: false } & LiveEvent);

export interface Stream {
  close(): void;
}
export type OpenStream = (on: { open(): void; commit(data: string): void; failed(): void }) => Stream;

const firstDelayMs = 500;
const longestDelayMs = 10_000;
/** A request waits no longer than this for the first stream. */
const firstOpenMsMax = 300;

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
  #hasGap = false;
  #onState = new Set<() => void>();
  #onSignal = new Set<(signal: Signal) => void>();

  constructor(open: OpenStream) {
    this.#open = open;
  }

  get state(): Connection {
    return this.#state;
  }

  readonly subscribe = (onChange: () => void) => {
    this.#onState.add(onChange);
    return () => this.#onState.delete(onChange);
  };

  readonly listen = (onSignal: (signal: Signal) => void) => {
    this.#onSignal.add(onSignal);
    return () => this.#onSignal.delete(onSignal);
  };

  /** Connects now, even if a later attempt is scheduled. Does nothing while connected. */
  readonly connect = () => {
    if (this.#stream && this.#state.phase !== 'waiting') return;
    this.#disconnect();
    if (this.#state.phase !== 'waiting') this.#setState({ phase: 'connecting' });
    this.#stream = this.#open({ open: this.#opened, commit: this.#committed, failed: this.#failed });
  };

  /**
   * Await this before a request: a response received while the stream is open needs no second request, so a trace of 100,000 spans is not
   * read twice when its page opens.
   */
  readonly beforeRequest = async (): Promise<void> => {
    if (this.#state.phase === 'connecting' && !this.#hasGap) await this.#waitForStream();
    if (this.#state.phase !== 'live') this.#hasGap = true;
  };

  /** Resolves when the stream is open, has failed, or takes too long. */
  #waitForStream(): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#onState.delete(done);
        resolve();
      };
      const timer = setTimeout(done, firstOpenMsMax);
      this.#onState.add(done);
    });
  }

  readonly sleep = () => {
    this.#hasGap = true;
    this.#disconnect();
    this.#setState({ phase: 'asleep' });
  };

  #disconnect() {
    clearTimeout(this.#timer);
    this.#stream?.close();
    this.#stream = null;
  }

  #setState(state: Connection) {
    this.#state = state;
    for (const onChange of this.#onState) onChange();
  }

  #emit(signal: Signal) {
    for (const onSignal of this.#onSignal) onSignal(signal);
  }

  #opened = () => {
    this.#failures = 0;
    this.#setState({ phase: 'live' });
    if (!this.#hasGap) return;
    this.#hasGap = false;
    this.#emit({ gap: true });
  };

  #committed = (data: string) => {
    let event: LiveEvent;
    try {
      event = JSON.parse(data) as LiveEvent;
    } catch {
      this.#emit({ gap: true });
      return;
    }
    this.#emit({ gap: false, trace_ids: event.trace_ids ?? [], span_count: event.span_count ?? 0, more: event.more ?? false });
  };

  #failed = () => {
    this.#hasGap = true;
    this.#disconnect();
    this.#failures += 1;
    const delay = retryDelayMs(this.#failures, Math.random());
    this.#setState({ phase: 'waiting', failures: this.#failures, retryAt: Date.now() + delay });
    this.#timer = setTimeout(this.connect, delay);
  };
}

export const concerns = (signal: Signal, traceId: string) => signal.gap || signal.more || signal.trace_ids.includes(traceId);
