/** What a run has that other runs may lack: the steps that it took, their order, and what is known about each of them. */
import type { FactKind } from '../../../shared/contract/tracing/comparison-terms.ts';
import type { SemanticKind } from '../../../shared/contract/tracing/semantic-kinds.ts';
import type { RunStep } from './run-steps.ts';
import type { SpanFact } from './span-facts.ts';

export interface RunFact {
  kind: FactKind;
  stepKind: SemanticKind;
  /** Of the step; empty for model calls, whose model is a fact of its own. */
  name: string;
  agent: string;
  field: string;
  value: string;
  /** The same for facts of which a run has usually one: values of one field, models of one agent. */
  subject: string;
  /** Of the step, or of both steps of an order. */
  steps: string[];
  /** It is the outcome of the run itself: its answer, or its own failure. */
  isOutcome: boolean;
  /** The first step that shows it, and its place in the run. */
  spanId: string;
  at: number;
}

/** Steps with different names whose order is looked at: the first. */
const orderedMax = 24;

/** Facts by key, which is the same in all runs. */
export function runFacts(steps: readonly RunStep[], factsOf: (spanId: string) => readonly SpanFact[]): Map<string, RunFact> {
  const facts = new Map<string, RunFact>();
  const add = (fact: RunFact, value: string) => {
    const key = `${fact.subject}\n${value}`;
    if (!facts.has(key)) facts.set(key, fact);
  };
  const causes = new Set(steps.filter(({ span }) => span.isFailed).map(({ span }) => span.parentId));
  for (const [at, step] of steps.entries()) {
    const { span, agent, phase, isRoot } = step;
    const name = span.kind === 'llm' ? '' : span.name;
    const taken = `${span.kind} ${name}\n${agent}`;
    const base = { stepKind: span.kind, name, agent, steps: [taken], spanId: span.id, at };
    if (phase !== 'end' && name !== '') {
      const kind = span.kind === 'tool' ? 'tool' : 'step';
      add({ ...base, kind, field: '', value: '', subject: `${kind}\n${taken}`, isOutcome: false }, '');
    }
    for (const { kind, field, value, id } of factsOf(span.id)) {
      const isResult = kind === 'result' || kind === 'error';
      // A failure of a step below it says why.
      if (phase === (isResult ? 'start' : 'end') || (kind === 'error' && causes.has(span.id))) continue;
      add({ ...base, kind, field, value, subject: `${kind}\n${taken}\n${field}`, isOutcome: isResult && isRoot }, id);
    }
  }
  for (const fact of orders(facts)) add(fact, fact.steps.join());
  return facts;
}

/** Which of two steps came first. */
function orders(facts: ReadonlyMap<string, RunFact>): RunFact[] {
  const first = [...facts.values()].filter(({ kind }) => kind === 'tool' || kind === 'step').slice(0, orderedMax);
  return first.flatMap((later, to) =>
    first.slice(0, to).map(
      (earlier): RunFact => ({
        ...later,
        kind: 'order',
        field: earlier.name,
        value: '',
        subject: ['order', ...[...earlier.steps, ...later.steps].sort()].join('\n'),
        steps: [...earlier.steps, ...later.steps],
      }),
    ),
  );
}

/** The share of the facts of two runs that both have, 0 to 1. */
export function likeness(one: ReadonlyMap<string, RunFact>, other: ReadonlyMap<string, RunFact>): number {
  const [few, many] = one.size < other.size ? [one, other] : [other, one];
  let both = 0;
  for (const key of few.keys()) if (many.has(key)) both++;
  return both === 0 ? 0 : both / (one.size + other.size - both);
}
