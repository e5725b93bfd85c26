/**
 * One stream of commits for the whole page (`GET /v1/viewer/live`). It reconnects by itself, says how it stands, and whenever
 * it begins tells its listeners that they may have missed something. EventSource's own retry is not used: it gives up for
 * good on an answer that is no stream, and it does not say when it will try again.
 */
import type { LiveEvent } from '../../shared/contract/viewer.ts';

export type Connection =
  | { phase: 'connecting' }
  | { phase: 'live' }
  /** Not connected since `failures` attempts; the next one is at `retryAt` (epoch ms). */
  | { phase: 'waiting'; failures: number; retryAt: number }
  /** Let go on purpose, because nobody looks. */
  | { phase: 'asleep' };

/** `gap`: nobody listened for a while, anything may have changed. */
export type Signal = { gap: true } | ({ gap: false } & LiveEvent);

export interface Stream {
  close(): void;
}
export type OpenStream = (on: { open(): void; commit(data: string): void; failed(): void }) => Stream;

const firstDelayMs = 500;
const longestDelayMs = 10_000;

/** Doubles from half a second to ten, with up to a fifth less so that many tabs do not knock together. */
export const retryDelayMs = (failures: number, random: number) =>
  Math.min(longestDelayMs, firstDelayMs * 2 ** Math.max(0, failures - 1)) * (1 - random / 5);

export class Live {
  #open: OpenStream;
  #stream: Stream | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #state: Connection = { phase: 'connecting' };
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

  readonly sleep = () => {
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
    // The first time too: a screen may have been answered before the stream stood.
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
    this.#drop();
    this.#failures += 1;
    const delay = retryDelayMs(this.#failures, Math.random());
    this.#become({ phase: 'waiting', failures: this.#failures, retryAt: Date.now() + delay });
    this.#timer = setTimeout(this.connect, delay);
  };
}

export const concerns = (signal: Signal, traceId: string) => signal.gap || signal.more || signal.trace_ids.includes(traceId);
