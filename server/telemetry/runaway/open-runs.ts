/** The runs that go on, each watched for signs of a runaway. Memory is bounded: of too many, those that were silent longest are forgotten. */
import type { Scope } from '../../platform/scope.ts';
import { RunWatch, type Thresholds } from './run-watch.ts';
import { endOf, type Sign, type Step } from './step.ts';

/** `Key`: what the store knows an app and a trace by, such as their rows. Neither is used again for another one while the run is watched. */
export interface RunKey<Key = number> {
  scope: Key;
  trace: Key;
  app: Scope;
  traceId: string;
}

/** What a commit added to a run. */
export interface RunChange<Key = number> extends RunKey<Key> {
  /** New or completed spans, each once. */
  steps: Step[];
  /** US dollars of the whole run. */
  cost: number;
  /** Its root has ended. */
  isOver: boolean;
  received_ms: number;
}

/** The signs of a run that have changed, or its end. */
export interface RunState<Key = number> extends RunKey<Key> {
  service: string;
  signs: Sign[];
  cost: number;
  cost_per_minute: number;
  at_ms: number;
  isOver: boolean;
  /** There are other signs than before, not only other values, or the run is over. */
  isNews: boolean;
}

interface OpenRun<Key> extends RunKey<Key> {
  watch: RunWatch;
  last_ms: number;
  /** The signs that were reported last, as text, and their rules. */
  reported: string;
  rules: string;
  /** Signs were reported at some time, so that its end is news. */
  isFound: boolean;
}

export interface OpenRunsOptions<Key> {
  thresholds(scope: Key, service: string): Thresholds;
  /** Tokens that a model can take; null if unknown. */
  window(model: string): number | null;
  runsMax?: number;
}

const runsMaxDefault = 2000;
/** Steps that ended longer ago were imported or delayed: what they show cannot be stopped any more. */
const freshMs = 5 * 60_000;
/** A run that is silent for this long has ended, even if its root never arrived. */
const silentMs = 10 * 60_000;

export class OpenRuns<Key extends number | string = number> {
  readonly #options: OpenRunsOptions<Key>;
  readonly #runsMax: number;
  /** By trace; the run that changed last is the last. */
  readonly #runs = new Map<Key, OpenRun<Key>>();
  /** Runs that need a look from time to time: with a running tool, or with signs. */
  readonly #attended = new Set<Key>();
  /** Ends of runs with signs that were forgotten. */
  #forgotten: RunState<Key>[] = [];

  constructor({ runsMax = runsMaxDefault, ...options }: OpenRunsOptions<Key>) {
    this.#options = { ...options };
    this.#runsMax = runsMax;
  }

  /** Whether `look` has something to do. */
  get needsAttention(): boolean {
    return this.#attended.size + this.#forgotten.length > 0;
  }

  /** Watches a run whose signs an earlier process reported, so that its end is seen. */
  resume(key: RunKey<Key>, last_ms: number): void {
    this.#runs.set(key.trace, { ...key, watch: new RunWatch(), last_ms, reported: '[]', rules: '', isFound: true });
    this.#attended.add(key.trace);
  }

  /** @returns the state of the run when its signs are others than before, or when a run with signs is over */
  add(change: RunChange<Key>): RunState<Key> | null {
    const { trace, isOver, received_ms } = change;
    if (isOver) return this.#end(trace, received_ms);
    const fresh = change.steps.filter((step) => step.pending || Math.abs(received_ms - endOf(step)) < freshMs);
    if (fresh.length === 0) return null;
    const run = this.#runs.get(trace) ?? { ...keyOf(change), watch: new RunWatch(), last_ms: 0, reported: '', rules: '', isFound: false };
    this.#runs.delete(trace);
    this.#runs.set(trace, run);
    this.#forgetOldest();
    run.last_ms = received_ms;
    const thresholds = this.#thresholdsOf(run, fresh);
    if (fresh.length > 1) fresh.sort((a, b) => endOf(a) - endOf(b));
    for (const step of fresh) run.watch.add(step, thresholds, this.#options.window);
    run.watch.spend(received_ms, change.cost, thresholds);
    run.watch.listen(received_ms, received_ms, thresholds);
    return this.#report(run, received_ms);
  }

  /** Looks for silent tools and for runs that fell silent: call it every few seconds while `needsAttention`. */
  look(now_ms: number): RunState<Key>[] {
    const states: (RunState<Key> | null)[] = this.#forgotten;
    this.#forgotten = [];
    for (const trace of [...this.#attended]) {
      const run = this.#runs.get(trace);
      if (!run) this.#attended.delete(trace);
      else if (now_ms - run.last_ms >= silentMs && !run.watch.hasRunningTool) states.push(this.#end(trace, run.last_ms));
      else {
        run.watch.listen(now_ms, run.last_ms, this.#thresholdsOf(run, []));
        states.push(this.#report(run, now_ms));
      }
    }
    return states.filter((state) => state !== null);
  }

  /** Watches these no longer, and says nothing more about them. */
  forget(isGone: (run: RunKey<Key>) => boolean): void {
    for (const run of this.#runs.values()) {
      if (!isGone(run)) continue;
      this.#runs.delete(run.trace);
      this.#attended.delete(run.trace);
    }
    this.#forgotten = this.#forgotten.filter((state) => !isGone(state));
  }

  #thresholdsOf({ scope, watch }: OpenRun<Key>, steps: readonly Step[]): Thresholds {
    return this.#options.thresholds(scope, watch.service || (steps.find(({ service_name }) => service_name !== '')?.service_name ?? ''));
  }

  #report(run: OpenRun<Key>, at_ms: number): RunState<Key> | null {
    const { signs } = run.watch;
    if (signs.length > 0 || run.watch.hasRunningTool) this.#attended.add(run.trace);
    const text = signs.length === 0 ? '' : JSON.stringify(signs);
    if (text === run.reported) return null;
    const rules = signs.map(({ rule }) => rule).join();
    const isNews = rules !== run.rules;
    Object.assign(run, { reported: text, rules, isFound: true });
    return stateOf(run, at_ms, { isOver: false, isNews });
  }

  #end(trace: Key, at_ms: number): RunState<Key> | null {
    const run = this.#runs.get(trace);
    if (!run) return null;
    this.#runs.delete(trace);
    this.#attended.delete(trace);
    return run.isFound ? stateOf(run, at_ms, { isOver: true, isNews: true }) : null;
  }

  #forgetOldest(): void {
    for (const [oldest, { last_ms }] of this.#runs) {
      if (this.#runs.size <= this.#runsMax) return;
      const state = this.#end(oldest, last_ms);
      if (state) this.#forgotten.push(state);
    }
  }
}

const keyOf = <Key>({ scope, trace, app, traceId }: RunKey<Key>): RunKey<Key> => ({ scope, trace, app, traceId });

function stateOf<Key>(run: OpenRun<Key>, at_ms: number, change: Pick<RunState, 'isOver' | 'isNews'>): RunState<Key> {
  const { watch } = run;
  const { signs, service, cost } = watch;
  return { ...keyOf(run), service, signs, cost: cost.cost, cost_per_minute: cost.perMinute(at_ms), at_ms, ...change };
}
