/** Watches one run, in memory that does not grow with it. Steps come in the order of their ends, each once. */
import { type RunawayRule, runawayRules } from '../../../shared/contract/tracing/runaway-rules.ts';
import type { SemanticKind } from '../../../shared/contract/tracing/semantic-kinds.ts';
import { ContextGrowth } from './context-growth.ts';
import { CostTrend } from './cost-trend.ts';
import { RecentCalls } from './recent-calls.ts';
import type { Sign, Step } from './step.ts';

/** Thresholds of the service that a run belongs to; null turns a rule off. */
export type Thresholds = Readonly<Record<RunawayRule, number | null>>;

/** Kinds that do something; functions and agents contain them and fail with them. */
const countedKinds: ReadonlySet<SemanticKind> = new Set(['llm', 'tool', 'retrieval', 'embedding', 'guardrail']);

/** Running tools that are remembered. */
const runningMax = 16;
/** Of the latest steps, one in this many may succeed during a series of errors. */
const successEvery = 5;
const outcomesMax = 32;

interface RunningTool {
  name: string;
  since_ms: number;
}

export class RunWatch {
  readonly cost = new CostTrend();
  /** Service of the latest step. */
  service = '';
  #calls: RecentCalls | null = null;
  readonly #growth = new ContextGrowth();
  /** One bit for each of the latest steps, 1 for a failure; the newest is the lowest. */
  #failures = 0;
  #steps = 0;
  readonly #running = new Map<string, RunningTool>();
  readonly #signs = new Map<RunawayRule, Sign>();

  /** @param window tokens that a model can take; null if unknown */
  add(step: Step, thresholds: Thresholds, window: (model: string) => number | null): void {
    if (step.placeholder || step.bookkeeping) return;
    if (step.service_name !== '') this.service = step.service_name;
    if (step.pending) this.#begin(step);
    else this.#addFinal(step, thresholds, window);
  }

  /** Adds what the run costs by now. */
  spend(at_ms: number, cost: number, thresholds: Thresholds): void {
    this.cost.add(at_ms, cost);
    if (thresholds.cost !== null && cost >= thresholds.cost) this.#note({ rule: 'cost', subject: '', value: cost });
    const rate = this.cost.perMinute(at_ms);
    if (thresholds.cost_rate !== null && rate >= thresholds.cost_rate) this.#note({ rule: 'cost_rate', subject: '', value: rate });
  }

  /**
   * Looks whether a running tool is silent: call it from time to time.
   * @param last_ms when something of the run arrived last
   */
  listen(now_ms: number, last_ms: number, thresholds: Thresholds): void {
    this.#signs.delete('silence');
    const seconds = thresholds.silence;
    const [tool] = this.#running.values();
    if (seconds === null || tool === undefined) return;
    const silentMs = now_ms - Math.max(last_ms, tool.since_ms);
    if (silentMs >= seconds * 1000) this.#note({ rule: 'silence', subject: tool.name, value: Math.max(seconds, rounded(silentMs / 1000)) });
  }

  get hasRunningTool(): boolean {
    return this.#running.size > 0;
  }

  /** The signs so far, each with its latest value. */
  get signs(): Sign[] {
    return runawayRules.flatMap((rule) => this.#signs.get(rule) ?? []);
  }

  #addFinal(step: Step, thresholds: Thresholds, window: (model: string) => number | null): void {
    this.#running.delete(step.span_id);
    if (!countedKinds.has(step.semantic_kind) || step.usage_aggregate) return;
    this.#countFailure(step, thresholds.errors);
    if (step.semantic_kind === 'tool') this.#addCall(step, thresholds);
    if (step.semantic_kind === 'llm' && thresholds.context_growth !== null)
      this.#note(this.#growth.add(step, thresholds.context_growth, window));
  }

  #begin({ span_id, name, semantic_kind, start_us }: Step): void {
    if (semantic_kind !== 'tool' || this.#running.size >= runningMax) return;
    this.#running.set(span_id, { name, since_ms: start_us / 1000 });
  }

  #addCall(step: Step, { repeated_calls, loop }: Thresholds): void {
    this.#calls ??= new RecentCalls();
    const calls = this.#calls;
    calls.add(step);
    if (repeated_calls !== null) this.#note(calls.repeatedCall(step, repeated_calls));
    if (loop !== null) this.#note(calls.loop(step, loop));
  }

  #countFailure({ name, status }: Step, threshold: number | null): void {
    this.#failures = (this.#failures << 1) | Number(status === 'ERROR');
    this.#steps = Math.min(this.#steps + 1, outcomesMax);
    if (threshold === null || status !== 'ERROR') return;
    const looked = Math.min(this.#steps, outcomesMax, threshold + Math.ceil(threshold / (successEvery - 1)));
    const failed = bitsOf(looked === outcomesMax ? this.#failures : this.#failures & (2 ** looked - 1));
    if (failed >= threshold) this.#note({ rule: 'errors', subject: name, value: failed });
  }

  #note(sign: Sign | null): void {
    if (sign) this.#signs.set(sign.rule, sign);
  }
}

/** Seconds that change every ten seconds, later every minute, so that a silent tool is not stored again and again. */
const rounded = (seconds: number): number => (seconds < 120 ? Math.floor(seconds / 10) * 10 : Math.floor(seconds / 60) * 60);

function bitsOf(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}
