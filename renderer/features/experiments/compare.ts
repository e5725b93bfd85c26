/** Compares runs of one experiment item by item against the first. */
import type { ExperimentDetail, ExperimentItem } from '../../../shared/contract/evaluation/experiments.ts';

/** Relative loss that still counts as noise and not as a regression. */
const tolerance = 0.01;

export type Verdict = 'regressed' | 'changed' | 'improved' | 'same' | 'incomplete';

export interface ComparedItem {
  /** Input or name of the item, which identifies it across runs. */
  id: string;
  name: string;
  /** The item in each run, in the order of the runs; null where a run does not have it. */
  items: (ExperimentItem | null)[];
  verdict: Verdict;
  /** Largest relative loss of a score against the baseline; 0 if no score fell. */
  drop: number;
}

/** The mean of each score, by name. */
export function meanScores(items: readonly ExperimentItem[]): Map<string, number> {
  const sums = new Map<string, { sum: number; count: number }>();
  for (const { scores } of items)
    for (const { name, score } of scores) {
      const current = sums.get(name) ?? { sum: 0, count: 0 };
      sums.set(name, { sum: current.sum + score, count: current.count + 1 });
    }
  return new Map([...sums].map(([name, { sum, count }]) => [name, sum / count]));
}

/** Items by key: their input, followed by a number if it repeats. */
function itemsByKey(items: readonly ExperimentItem[]): Map<string, ExperimentItem> {
  const seen = new Map<string, number>();
  return new Map(
    items.map((item) => {
      const base = item.input || item.itemName;
      const repeats = seen.get(base) ?? 0;
      seen.set(base, repeats + 1);
      return [repeats === 0 ? base : `${base}#${repeats}`, item];
    }),
  );
}

/** Relative loss against the baseline; negative for a gain. 0 for a baseline of at most 0. */
const lossOf = (before: number, after: number) => (before > 0 ? (before - after) / before : 0);

function judge(base: ExperimentItem, others: readonly ExperimentItem[]): Pick<ComparedItem, 'verdict' | 'drop'> {
  const before = meanScores([base]);
  const losses = others.flatMap((other) => [...meanScores([other])].map(([name, after]) => lossOf(before.get(name) ?? after, after)));
  const drop = Math.max(0, ...losses);
  if (drop > tolerance) return { verdict: 'regressed', drop };
  const gained = others.some((other) => [...meanScores([other])].some(([name, after]) => after > (before.get(name) ?? after)));
  if (gained) return { verdict: 'improved', drop: 0 };
  return { verdict: others.every(({ output }) => output === base.output) ? 'same' : 'changed', drop: 0 };
}

const order: readonly Verdict[] = ['regressed', 'incomplete', 'changed', 'improved', 'same'];

/** Regressions first, largest on top; then items that some runs lack, changed, improved and unchanged ones. */
export function compareRuns(runs: readonly ExperimentDetail[]): ComparedItem[] {
  const byKey = runs.map(({ items }) => itemsByKey(items));
  const keys = [...new Set(byKey.flatMap((items) => [...items.keys()]))];
  const compared = keys.map((id): ComparedItem => {
    const items = byKey.map((run) => run.get(id) ?? null);
    const name = items.find((item) => item !== null)?.itemName || id;
    const [base, ...others] = items;
    const present = others.filter((item) => item !== null);
    const verdict = base ? judge(base, present) : { verdict: 'incomplete' as const, drop: 0 };
    const isIncomplete = verdict.verdict !== 'regressed' && items.includes(null);
    return { id, name, items, ...verdict, ...(isIncomplete ? { verdict: 'incomplete' as const } : {}) };
  });
  return compared.sort((a, b) => order.indexOf(a.verdict) - order.indexOf(b.verdict) || b.drop - a.drop);
}

/** Relative difference from the baseline; null without one. */
export const shiftOf = (base: number | null | undefined, value: number | null | undefined): number | null =>
  base === null || base === undefined || value === null || value === undefined || base === 0 ? null : (value - base) / base;
