/** Pairs the steps of two runs, and finds where they diverge. */
import { diffArrays } from 'diff';
import { type Difference, differences } from '../../../shared/contract/tracing/comparison-terms.ts';
import type { StepPart } from './run-span.ts';
import type { RunStep } from './run-steps.ts';

/** At least one of both; the differences are empty for equal steps, the first is the one that explains the others. */
export interface StepPair {
  a: RunStep | null;
  b: RunStep | null;
  differences: Difference[];
}

export interface PairedRuns {
  pairs: StepPair[];
  /** Index of the pair where the runs diverge; null when they do not, as far as they have got. */
  divergence: number | null;
}

export function compareRuns(a: readonly RunStep[], b: readonly RunStep[]): PairedRuns {
  let equal = 0;
  while (equal < Math.min(a.length, b.length) && isEqual(a[equal] as RunStep, b[equal] as RunStep)) equal++;
  const [restA, restB] = [a.slice(equal), b.slice(equal)];
  const pairs = [
    ...a.slice(0, equal).map((step, at): StepPair => ({ a: step, b: b[at] as RunStep, differences: [] })),
    ...pairsOf(restA, restB),
  ];
  const first = pairs[equal];
  if (!first) return { pairs, divergence: null };
  // A run that goes on has not taken its next step yet.
  const isOpen = (steps: readonly RunStep[], rest: readonly RunStep[]) => rest.every(({ phase }) => phase === 'end') && isRunning(steps);
  if (isOpen(a, restA) || isOpen(b, restB)) return { pairs, divergence: null };
  if (isSwapped(restA, restB)) first.differences = ['order'];
  return { pairs, divergence: equal };
}

const isRunning = (steps: readonly RunStep[]): boolean => steps.some(({ span }) => span.isRunning);

const isEqual = (a: RunStep, b: RunStep): boolean => a.identity === b.identity && differencesOf(a, b).length === 0;

/** Whether each run takes the step of the other later on. */
function isSwapped([a, ...laterA]: readonly RunStep[], [b, ...laterB]: readonly RunStep[]): boolean {
  if (!a || !b || a.key === b.key) return false;
  return laterB.some(({ key }) => key === a.key) && laterA.some(({ key }) => key === b.key);
}

function differencesOf(a: RunStep, b: RunStep): Difference[] {
  const isOpen = a.span.isRunning || b.span.isRunning;
  return differences.filter((part): part is StepPart => {
    if (part === 'order' || part === 'missing') return false;
    const [ofA, ofB] = [a.parts[part], b.parts[part]];
    if (ofA === ofB) return false;
    const isMissing = ofA === undefined || ofB === undefined;
    return !(isMissing && (part === 'model' || (isOpen && !(part in a.span.given || part in b.span.given))));
  });
}

/** Steps that were given the same are paired first, then those between them that do the same kind of thing. */
function pairsOf(a: readonly RunStep[], b: readonly RunStep[]): StepPair[] {
  return align(a, b, ({ key }) => key).flatMap((block): StepPair[] =>
    'both' in block ? block.both.map(paired) : align(block.a, block.b, ({ identity }) => identity).flatMap(pairsOfBlock),
  );
}

const pairsOfBlock = (block: Block): StepPair[] =>
  'both' in block
    ? block.both.map(paired)
    : [
        ...block.a.map((step): StepPair => ({ a: step, b: null, differences: ['missing'] })),
        ...block.b.map((step): StepPair => ({ a: null, b: step, differences: ['missing'] })),
      ];

const paired = ([a, b]: [RunStep, RunStep]): StepPair => ({ a, b, differences: differencesOf(a, b) });

type Block = { both: [RunStep, RunStep][] } | { a: RunStep[]; b: RunStep[] };

/** Runs that have less in common are paired in the order of their steps. */
const editsMax = 1000;

/** Blocks of steps with common keys, and what is between them. */
function align(a: readonly RunStep[], b: readonly RunStep[], keyOf: (step: RunStep) => string): Block[] {
  if (a.length === 0 || b.length === 0) return [{ a: [...a], b: [...b] }];
  const changes = diffArrays(a.map(keyOf), b.map(keyOf), { maxEditLength: editsMax });
  if (!changes) return [{ a: [...a], b: [...b] }];
  const blocks: Block[] = [];
  const [remainingA, remainingB] = [[...a], [...b]];
  for (const { count, added, removed } of changes) {
    if (!added && !removed) {
      const [ofA, ofB] = [remainingA.splice(0, count), remainingB.splice(0, count)];
      blocks.push({ both: ofA.map((step, at): [RunStep, RunStep] => [step, ofB[at] as RunStep]) });
      continue;
    }
    const last = blocks.at(-1);
    const open = last && 'a' in last ? last : { a: [], b: [] };
    if (open !== last) blocks.push(open);
    if (removed) open.a.push(...remainingA.splice(0, count));
    else open.b.push(...remainingB.splice(0, count));
  }
  return blocks;
}
