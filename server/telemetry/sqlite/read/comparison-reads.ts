/** Two runs, step by step (server/telemetry/comparison). */
import type { ComparedStep, Comparison, ComparisonQuery } from '../../../../shared/contract/tracing/comparison.ts';
import { compareRuns, type StepPair } from '../../comparison/compare-runs.ts';
import type { RunStep } from '../../comparison/run-steps.ts';
import { noRow } from './lookup.ts';
import type { ReadContext } from './read-context.ts';
import { type Run, RunReads } from './run-reads.ts';

/** Spans of a run that are compared: the first. */
const spansMax = 10_000;

export class ComparisonReads {
  readonly #context: ReadContext;
  readonly #runs;

  constructor(context: ReadContext) {
    this.#context = context;
    this.#runs = new RunReads(context);
  }

  find(scope: number, { a, b }: ComparisonQuery): Comparison | null {
    const [runA, runB] = [a, b].map((id) => this.#runOf(this.#context.lookup.trace(scope, id))) as [Run | null, Run | null];
    if (!runA || !runB) return null;
    const { pairs, divergence } = compareRuns(runA.steps, runB.steps);
    return { a: runA.figures, b: runB.figures, pairs: pairs.map(pairOf), divergence, is_whole: runA.isWhole && runB.isWhole };
  }

  #runOf(id: number): Run | null {
    return id === noRow ? null : this.#runs.read(id, spansMax);
  }
}

const pairOf = ({ a, b, differences }: StepPair): Comparison['pairs'][number] => ({ a: a && stepOf(a), b: b && stepOf(b), differences });

function stepOf({ span, agent, phase, failedAttempts }: RunStep): ComparedStep {
  const { input, output } = span.text;
  const isAnswer = phase === 'end' || span.kind === 'llm';
  return {
    span_id: span.id,
    kind: span.kind,
    name: span.name,
    agent,
    phase,
    failed_attempts: failedAttempts,
    text: isAnswer ? output : input,
    start_ms: span.startMs,
    duration_ms: span.durationMs,
    tokens: span.tokens,
    cost: span.cost,
    is_failed: span.isFailed && phase !== 'start',
    is_running: span.isRunning,
  };
}
