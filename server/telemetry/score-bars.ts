/** How the distribution of the scores of a name is divided. */
import type { ScoreDistribution } from '../../shared/contract/viewer/viewer-statistics.ts';

export const barsMax = 20;
const stepsMax = 40;
const shortestStepMs = 60_000;
const hourMs = 3_600_000;

/** Scores are divided by this before they are summed, to avoid overflow. A power of two, so that the division is exact. */
export const scorePart = 2 ** 40;

export const noScores: ScoreDistribution = { count: 0, min: null, max: null, mean: null, bars: [], time: [], step_ms: hourMs };

/** Length of a step from the first to the last score. */
export const stepBetween = (first_ms: number, last_ms: number): number =>
  Math.max(shortestStepMs, Math.ceil((last_ms - first_ms + 1) / stepsMax));

export interface ScoreVariety {
  unlabelled: number;
  labels: number;
  values: number;
}

/** By label when every score has one, by value when there are few values, else by ranges. */
export function barsBy({ unlabelled, labels, values }: ScoreVariety): 'label' | 'value' | 'range' {
  if (unlabelled === 0 && labels <= barsMax) return 'label';
  return values <= 2 ? 'value' : 'range';
}

/** @param counts number of scores by range */
export function rangeBars(min: number, max: number, counts: ReadonlyMap<number, number>): ScoreDistribution['bars'] {
  const [low, high] = [min / scorePart, max / scorePart];
  const edge = (i: number) => (low * (1 - i / barsMax) + high * (i / barsMax)) * scorePart;
  return Array.from({ length: barsMax }, (_, i) => ({ label: null, from: edge(i), to: edge(i + 1), count: counts.get(i) ?? 0 }));
}
