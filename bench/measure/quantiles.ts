/** Summary statistics of samples. */

/** Interpolates linearly; NaN without samples. */
export function quantile(numbers: readonly number[], part: number): number {
  if (numbers.length === 0) return Number.NaN;
  const sorted = [...numbers].sort((a, b) => a - b);
  const rank = (sorted.length - 1) * part;
  const [low, high] = [sorted[Math.floor(rank)] as number, sorted[Math.ceil(rank)] as number];
  return low + (high - low) * (rank - Math.floor(rank));
}

export const median = (numbers: readonly number[]): number => quantile(numbers, 0.5);
