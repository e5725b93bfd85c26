/** What a comparison of two runs says, in sentences. */

import type { ComparedStep, Comparison, StepPair } from '../../../shared/contract/tracing/comparison.ts';
import type { Difference } from '../../../shared/contract/tracing/comparison-terms.ts';
import { cost, duration, plural } from '../text/format.ts';
import { milliseconds } from '../time/time.ts';

export interface Verdict {
  /** The name of the step is apart, to be set in bold. */
  before: string;
  name: string;
  after: string;
  detail: string;
}

const nameOf = (step: ComparedStep): string => step.name || (step.kind === 'llm' ? 'the model' : 'unnamed');
const stepOf = ({ a, b }: StepPair): ComparedStep => (a ?? b) as ComparedStep;

const said: Record<Exclude<Difference, 'order' | 'missing' | 'result' | 'messages'>, string> = {
  model: 'was replaced by another model',
  settings: 'was called with different settings',
  tools: 'was offered different tools',
  prompt: 'had a different system prompt',
  arguments: 'was called with different arguments',
  choice: 'was given the same input and chose differently',
  wording: 'was given the same input and answered in different words',
};

function whatDiffers(pair: StepPair): string {
  const { a, b } = pair;
  const [difference] = pair.differences;
  if (!a || !b) return `was called only in ${a ? 'A' : 'B'}`;
  switch (difference) {
    case 'order':
      return `and ${nameOf(b)} came in the opposite order`;
    case 'messages':
      return a.kind === 'llm' ? 'was given different messages' : 'was asked something else';
    case 'result':
      if (a.is_failed !== b.is_failed) return `failed only in ${a.is_failed ? 'A' : 'B'}`;
      if (a.is_failed) return 'failed in a different way';
      return a.phase === 'end' ? 'answered differently at the end' : 'was asked the same and answered differently';
    default:
      return difference === undefined || difference === 'missing' ? '' : said[difference];
  }
}

export function verdictOf({ a, b, pairs, divergence, is_whole }: Comparison): Verdict {
  const none = { name: '', after: '' };
  if (divergence === null) {
    const running = [a, b].find(({ is_running }) => is_running);
    if (running) return { ...none, before: 'The runs are equal so far.', detail: `${running === a ? 'A' : 'B'} is still running.` };
    const reach = is_whole ? `all ${plural(pairs.length, 'step')}` : `their first ${plural(pairs.length, 'step')}`;
    return { ...none, before: `The runs are equal in ${reach}.`, detail: `Only times and prices may differ: ${changeOf(a, b)}.` };
  }
  if (!pairs.some((pair) => pair.a && pair.b))
    return { ...none, before: 'The runs share no step.', detail: `Compare them by their totals: ${changeOf(a, b)}.` };
  const pair = pairs[divergence] as StepPair;
  const equal = divergence === 0 ? 'It is the first step.' : `Everything before it is equal: ${plural(divergence, 'step')}.`;
  return {
    before: `The runs diverge at step ${divergence + 1}: `,
    name: nameOf(stepOf(pair)),
    after: ` ${whatDiffers(pair)}.`,
    detail: equal,
  };
}

const changeOf = (a: Comparison['a'], b: Comparison['b']): string =>
  `${signed(b.duration_ms - a.duration_ms, (ms) => duration(milliseconds(ms)))} and ${signed(b.cost - a.cost, cost)} in B`;

/** `+1.2 s`, `−$0.03` */
export function signed(change: number, format: (value: number) => string): string {
  if (change === 0) return `±${format(0)}`;
  return `${change > 0 ? '+' : '−'}${format(Math.abs(change))}`;
}

export interface Consequence {
  text: string;
  /** Index of the pair that shows it. */
  index: number;
  isFailure: boolean;
}

const consequencesMax = 4;

/** What came after the first divergence: other choices, failures of one run only, and more or fewer steps. */
export function whatFollowed({ pairs, divergence }: Comparison): Consequence[] {
  if (divergence === null) return [];
  const later = pairs.map((pair, index) => ({ pair, index })).slice(divergence + 1);
  const followed: Consequence[] = [];
  const chosen = later.find(({ pair }) => pair.differences.includes('choice'));
  if (chosen) followed.push({ text: `${nameOf(stepOf(chosen.pair))} then chose differently`, index: chosen.index, isFailure: false });
  for (const [run, other] of [
    ['a', 'b'],
    ['b', 'a'],
  ] as const) {
    // A step that ends with a failure below it tells nothing new.
    const failed = later.filter(({ pair }) => pair[run]?.is_failed && pair[run]?.phase === 'whole' && !pair[other]?.is_failed);
    for (const [name, places] of Map.groupBy(failed, ({ pair }) => nameOf(pair[run] as ComparedStep))) {
      const times = places.reduce((sum, { pair }) => sum + 1 + (pair[run]?.failed_attempts ?? 0), 0);
      const text = `${name} failed ${times === 1 ? '' : `${plural(times, 'time')} `}only in ${run.toUpperCase()}`;
      followed.push({ text, index: places[0]?.index ?? 0, isFailure: true });
    }
  }
  for (const [run, other] of [
    ['b', 'a'],
    ['a', 'b'],
  ] as const) {
    const more = later.filter(({ pair }) => pair[run] && !pair[other]);
    if (more[0])
      followed.push({ text: `${plural(more.length, 'step')} only in ${run.toUpperCase()}`, index: more[0].index, isFailure: false });
  }
  return followed.slice(0, consequencesMax);
}
