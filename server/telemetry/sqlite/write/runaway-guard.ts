/**
 * Watches open runs on the write thread, after the requests of a commit were answered: only the writer knows which spans are new (ADR 047).
 * A mistake in the rules ends the watching, never the writing.
 */
import type { Pricing } from '../../../ingest/cost/pricing.ts';
import { OpenRuns, type RunChange, type RunState } from '../../runaway/open-runs.ts';
import type { RunawayNotice } from '../../runaway-store.ts';
import { storageErrorKind } from '../file/storage-error-kind.ts';
import type { RunawayRows } from './runaway-rows.ts';

/** How often runs are looked at, and signs that only grow are stored. New ones are stored at once. */
const tickMs = 2_000;

interface GuardEvents {
  found(notices: RunawayNotice[]): void;
  /** The watching has ended. */
  failed(reason: string): void;
}

export class RunawayGuard {
  readonly #rows: RunawayRows;
  readonly #runs: OpenRuns;
  readonly #events: GuardEvents;
  /** States that are not stored yet, by trace. */
  #waiting = new Map<number, RunState>();
  #isUrgent = false;
  #timer: NodeJS.Timeout | null = null;
  #hasFailed = false;

  constructor(rows: RunawayRows, pricing: Pick<Pricing, 'contextWindow'>, events: GuardEvents) {
    this.#rows = rows;
    this.#events = events;
    this.#runs = new OpenRuns({
      thresholds: (scope, service) => rows.thresholdsOf(scope, service),
      window: (model) => pricing.contextWindow(model, ''),
    });
    this.#try(() => {
      for (const { key, last_ms } of rows.running()) this.#runs.resume(key, last_ms);
      this.#watchClock();
    });
  }

  see(changes: readonly RunChange[]): void {
    this.#try(() => {
      for (const change of changes) this.#note(this.#runs.add(change));
      if (this.#isUrgent) this.#save();
      this.#watchClock();
    });
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#waiting.size > 0) this.#try(() => this.#save());
  }

  #note(state: RunState | null): void {
    if (!state) return;
    this.#waiting.set(state.trace, state);
    this.#isUrgent ||= state.isNews;
  }

  /** Looks again in a while, if there is something to look at. */
  #watchClock(): void {
    if (!this.#runs.needsAttention && this.#waiting.size === 0) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#try(() => {
        for (const state of this.#runs.look(Date.now())) this.#note(state);
        if (this.#waiting.size > 0) this.#save();
        this.#watchClock();
      });
    }, tickMs);
    this.#timer.unref();
  }

  #save(): void {
    const states = [...this.#waiting.values()];
    this.#isUrgent = false;
    try {
      this.#rows.save(states);
    } catch (error) {
      // The disk may be full or busy: tried again with the next look.
      if (storageErrorKind(error)) return;
      throw error;
    }
    this.#waiting = new Map();
    this.#events.found([...Map.groupBy(states, ({ scope }) => scope).values()].map(noticeOf));
  }

  #try(act: () => void): void {
    if (this.#hasFailed) return;
    try {
      act();
    } catch (error) {
      this.#hasFailed = true;
      this.#events.failed(error instanceof Error ? (error.stack ?? error.message) : String(error));
    }
  }
}

function noticeOf(states: RunState[]): RunawayNotice {
  const [{ app }] = states as [RunState];
  return { scope: app, trace_ids: states.map(({ traceId }) => traceId) };
}
