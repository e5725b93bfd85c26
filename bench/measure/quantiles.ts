/** Numbers that describe many numbers. */

/** Linear between neighbours; NaN of nothing. */
export function quantile(numbers: readonly number[], part: number): number {
  if (numbers.length === 0) return Number.NaN;
  const sorted = [...numbers].sort((a, b) => a - b);
  const place = (sorted.length - 1) * part;
  const [low, high] = [sorted[Math.floor(place)] as number, sorted[Math.ceil(place)] as number];
  return low + (high - low) * (place - Math.floor(place));
}

export const median = (numbers: readonly number[]): number => quantile(numbers, 0.5);
