/** Rows of a comparison: the pairs of steps, with runs of equal ones folded to one row. */
import type { StepPair } from '../../../shared/contract/tracing/comparison.ts';
import { plural } from '../text/format.ts';

export type ComparisonRow =
  | { id: string; kind: 'pair'; index: number; pair: StepPair }
  | { id: string; kind: 'folded'; count: number; names: string };

/** Equal steps at both ends of a fold stay, because they say where the others are. */
const shownAtStart = 2;
/** A fold takes a row itself. */
const foldedMin = 2;
const namesMax = 4;

export function comparisonRows(pairs: readonly StepPair[], isUnfolded: boolean): ComparisonRow[] {
  const rows: ComparisonRow[] = [];
  for (let from = 0; from < pairs.length; ) {
    let to = from;
    while (to < pairs.length && pairs[to]?.differences.length === 0) to++;
    const shown = from === 0 ? shownAtStart : 0;
    const isFolded = !isUnfolded && to - from - shown >= foldedMin;
    const end = to === from ? from + 1 : isFolded ? from + shown : to;
    for (let index = from; index < end; index++) rows.push({ id: `step ${index}`, kind: 'pair', index, pair: pairs[index] as StepPair });
    if (isFolded) rows.push({ id: `equal ${end}`, kind: 'folded', count: to - end, names: namesOf(pairs.slice(end, to)) });
    from = Math.max(to, end);
  }
  return rows;
}

/** `get_customer, search_handbook, 2 model calls` */
function namesOf(pairs: readonly StepPair[]): string {
  const steps = pairs.flatMap(({ a, b }) => a ?? b ?? []).filter(({ phase }) => phase !== 'end');
  const calls = steps.filter(({ kind }) => kind === 'llm').length;
  const names = [...new Set(steps.flatMap(({ kind, name }) => (kind === 'llm' ? [] : [name])))];
  const shown = names.slice(0, namesMax);
  const others = names.length - shown.length;
  return [...shown, ...(others > 0 ? [`${others} others`] : []), ...(calls > 0 ? [plural(calls, 'model call')] : [])].join(', ');
}
