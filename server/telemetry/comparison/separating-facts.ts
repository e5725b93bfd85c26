/** The facts that runs of one group have and those of another lack, or the other way round: the one that separates them best first. */
import { factKinds } from '../../../shared/contract/tracing/comparison-terms.ts';
import type { RunFact } from './run-facts.ts';

type Run = ReadonlyMap<string, RunFact>;

/** A run of a group by index, and the span that shows the fact. */
export interface FactPlace {
  run: number;
  spanId: string;
}

export interface SeparatingFact {
  fact: RunFact;
  a: FactPlace[];
  b: FactPlace[];
  /** Difference of the shares of both groups that have it, 0 to 1. */
  separation: number;
}

/** What only one run has, or what hardly differs, says nothing. */
const separationMin = 0.2;

/** A failure, and what a run answered in the end, follow from something: what separates nearly as well is named before them. */
const errorWeight = 0.9;
const outcomeWeight = 0.5;

export function separatingFacts(a: readonly Run[], b: readonly Run[]): { facts: SeparatingFact[]; compared: number } {
  const candidates = new Map<string, Candidate>();
  for (const [group, runs] of Object.entries({ a, b }) as ['a' | 'b', readonly Run[]][])
    for (const [run, facts] of runs.entries())
      for (const [key, fact] of facts) {
        const candidate = candidates.get(key) ?? { key, fact, a: [], b: [], at: 0, separation: 0, weight: 0 };
        candidates.set(key, candidate);
        candidate[group].push({ run, spanId: fact.spanId });
        candidate.at += fact.at;
      }
  const all = [...candidates.values()];
  for (const candidate of all) weigh(candidate, a.length, b.length);
  weighOrders(all);
  const runsMin = Math.min(2, a.length, b.length);
  const listed = all.filter((each) => each.separation >= separationMin && each.a.length + each.b.length >= runsMin);
  const facts = withoutImplied(bestOfSubjects(listed).sort(byWeight));
  return { facts: facts.map(({ fact, a: inA, b: inB, separation }) => ({ fact, a: inA, b: inB, separation })), compared: all.length };
}

interface Candidate extends SeparatingFact {
  key: string;
  /** Mean place in the runs that have it. */
  at: number;
  weight: number;
}

function weigh(candidate: Candidate, ofA: number, ofB: number): void {
  const { fact, a, b } = candidate;
  candidate.at /= a.length + b.length;
  candidate.separation = ofA === 0 || ofB === 0 ? 0 : Math.abs(a.length / ofA - b.length / ofB);
  candidate.weight = candidate.separation * (fact.isOutcome ? outcomeWeight : fact.kind === 'error' ? errorWeight : 1);
}

/** Steps differ in their order only as far as some runs take them in the other order: what is left are runs without one of them. */
function weighOrders(candidates: readonly Candidate[]): void {
  const orders = candidates.filter(({ fact }) => fact.kind === 'order');
  for (const directions of Map.groupBy(orders, ({ fact }) => fact.subject).values()) {
    const least = directions.length === 2 ? Math.min(...directions.map(({ separation }) => separation)) : 0;
    for (const direction of directions) direction.separation = direction.weight = least;
  }
}

/** Of several values of one field only the best, of two as good the one that more runs of the first group have. */
function bestOfSubjects(candidates: readonly Candidate[]): Candidate[] {
  const best = new Map<string, Candidate>();
  for (const candidate of candidates) {
    const other = best.get(candidate.fact.subject);
    const lead = other ? candidate.weight - other.weight || candidate.a.length - other.a.length : 1;
    if (lead > 0) best.set(candidate.fact.subject, candidate);
  }
  return [...best.values()];
}

/** Of facts that separate equally well the first in the runs, because it may be the cause of the others. */
const byWeight = (one: Candidate, other: Candidate): number =>
  other.weight - one.weight ||
  one.at - other.at ||
  factKinds.indexOf(one.fact.kind) - factKinds.indexOf(other.fact.kind) ||
  (one.key < other.key ? -1 : 1);

/** What the same runs have because they took a step which the others did not take says nothing besides it. */
function withoutImplied(candidates: readonly Candidate[]): Candidate[] {
  const runsOf = ({ a, b }: Candidate) => `${a.map(({ run }) => run)}/${b.map(({ run }) => run)}`;
  const taken = new Set(
    candidates.filter(({ fact }) => fact.kind === 'tool' || fact.kind === 'step').map((each) => `${each.fact.steps[0]} ${runsOf(each)}`),
  );
  const isImplied = (each: Candidate) =>
    (each.fact.kind === 'argument' || each.fact.kind === 'result') && taken.has(`${each.fact.steps[0]} ${runsOf(each)}`);
  return candidates.filter((each) => !isImplied(each));
}
