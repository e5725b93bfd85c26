/**
 * Watches the open runs of the tenants of one writer: it alone knows which of their spans are new (ADR 047). Signs are stored after the requests that
 * show them were answered. Whatever fails here, the writing goes on.
 */
import type { RunawayThresholdChange } from '../../../../shared/contract/tracing/runaways.ts';
import type { Pricing } from '../../../ingest/cost/pricing.ts';
import { type Scope, sameScope } from '../../../platform/scope.ts';
import { OpenRuns, type RunChange, type RunKey, type RunState } from '../../runaway/open-runs.ts';
import type { RunawayNotice } from '../../runaway-store.ts';
import { type RunawayRows, runKeyOf } from './runaway-rows.ts';
import { writeFailure } from './write-failure.ts';

/** How often runs are looked at, and signs that only grow are stored. New ones are stored at once. */
const tickMs = 2_000;
/** States that wait while the database is away; of more, the oldest are dropped. */
const waitingMax = 10_000;

interface Parts {
  rows: RunawayRows;
  pricing: Pick<Pricing, 'contextWindow'>;
  /** Runs that are watched at the same time, each with some 5 KB of memory. */
  runsMax: number;
  onRunaways(notices: RunawayNotice[]): void;
  onFailure(event: string, key: string, error: unknown): void;
}

export class RunawayGuard {
  readonly #parts: Parts;
  readonly #runs: OpenRuns<string>;
  /** States that are not stored yet, by trace. */
  #waiting = new Map<string, RunState<string>>();
  #isUrgent = false;
  #timer: NodeJS.Timeout | null = null;
  /** What reads or changes rows: one after the other. */
  #last: Promise<unknown> = Promise.resolve();
  /** Without what earlier writers knew, nothing is watched. */
  #isResumed = false;
  /** Stopped, or a mistake has ended the watching. */
  #isOver = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    const { rows, pricing, runsMax } = parts;
    this.#runs = new OpenRuns({
      runsMax,
      thresholds: (app, service) => rows.thresholdsOf(app, service),
      window: (model) => pricing.contextWindow(model, ''),
    });
  }

  /** Takes up what an earlier writer had found. Never rejects: a failure is tried again after a while. */
  async resume(): Promise<void> {
    await this.#tryInTurn(async () => {
      if (this.#isResumed) return;
      const { rows } = this.#parts;
      await rows.readThresholds();
      for (const { key, last_ms } of await rows.running()) this.#runs.resume(key, last_ms);
      this.#isResumed = true;
    });
    this.#watchClock();
  }

  /** Call it for each commit, in their order. Never throws. */
  see(changes: readonly RunChange[]): void {
    if (!this.#isResumed) return;
    this.#try(() => {
      for (const change of changes) this.#note(this.#runs.add({ ...change, ...runKeyOf(change.app, change.traceId) }));
    });
    if (this.#isUrgent) void this.#save();
    this.#watchClock();
  }

  /** Durable when it resolves. */
  setThreshold(scope: Scope, change: RunawayThresholdChange): Promise<void> {
    return this.#inTurn(() => this.#parts.rows.setThreshold(scope, change));
  }

  /**
   * Resolves when nothing of these runs is stored any more, until something new arrives for them. Call it while nothing writes for them.
   * @param traceIds null for all of the app
   */
  async forget(scope: Scope, traceIds: ReadonlySet<string> | null): Promise<void> {
    const isGone = ({ app, traceId }: RunKey<string>) => sameScope(app, scope) && (traceIds?.has(traceId) ?? true);
    await this.#tryInTurn(async () => {
      this.#runs.forget(isGone);
      for (const [trace, state] of this.#waiting) if (isGone(state)) this.#waiting.delete(trace);
    });
  }

  /** Resolves when the last signs are stored, or cannot be. */
  async stop(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    await this.#save();
    this.#isOver = true;
  }

  #note(state: RunState<string> | null): void {
    if (!state) return;
    this.#waiting.set(state.trace, state);
    this.#isUrgent ||= state.isNews;
    const [oldest] = this.#waiting.keys();
    if (this.#waiting.size > waitingMax && oldest !== undefined) this.#waiting.delete(oldest);
  }

  /** Looks again in a while, if there is something to look at. */
  #watchClock(): void {
    const isIdle = this.#isResumed && !this.#runs.needsAttention && this.#waiting.size === 0;
    if (isIdle || this.#isOver) return;
    this.#timer ??= setTimeout(() => void this.#tick(), tickMs);
    this.#timer.unref();
  }

  async #tick(): Promise<void> {
    if (!this.#isResumed) await this.resume();
    this.#try(() => {
      for (const state of this.#runs.look(Date.now())) this.#note(state);
    });
    await this.#save();
    this.#timer = null;
    this.#watchClock();
  }

  /** A failure is tried again with the next look. */
  #save(): Promise<void> {
    this.#isUrgent = false;
    return this.#tryInTurn(async () => {
      const states = this.#waiting;
      if (states.size === 0) return;
      this.#waiting = new Map();
      try {
        await this.#parts.rows.save([...states.values()]);
      } catch (error) {
        this.#waiting = new Map([...states, ...this.#waiting]);
        throw error;
      }
      this.#parts.onRunaways([...Map.groupBy(states.values(), ({ scope }) => scope).values()].map(noticeOf));
    });
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const run = this.#last.then(work);
    this.#last = run.catch(() => {});
    return run;
  }

  async #tryInTurn(work: () => Promise<void>): Promise<void> {
    if (this.#isOver) return;
    await this.#inTurn(work).catch((error: unknown) => this.#failed(error));
  }

  #try(act: () => void): void {
    if (this.#isOver) return;
    try {
      act();
    } catch (error) {
      this.#failed(error);
    }
  }

  /** A database that is away comes back. A mistake of ours would be made again and again. */
  #failed(error: unknown): void {
    const failure = writeFailure(error);
    if (failure.errorKind !== 'mistake') return;
    this.#isOver = true;
    this.#parts.onFailure('runaways_not_watched', '', failure.message);
  }
}

function noticeOf(states: RunState<string>[]): RunawayNotice {
  const [{ app }] = states as [RunState<string>];
  return { scope: app, trace_ids: states.map(({ traceId }) => traceId) };
}
