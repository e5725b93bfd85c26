export type Interval = readonly [start: number, end: number];

/** The time that at least one of the intervals covers. Parallel and nested work counts once. */
export function covered(intervals: readonly Interval[]): number {
  const sorted = [...intervals].sort((a, b) => a[0] - b[0]);
  let total = 0;
  let reached = Number.NEGATIVE_INFINITY;
  for (const [start, end] of sorted) {
    if (end <= reached) continue;
    total += end - Math.max(start, reached);
    reached = end;
  }
  return total;
}

export const clipped = (intervals: readonly Interval[], [from, to]: Interval): Interval[] =>
  intervals.flatMap(([start, end]): Interval[] => {
    const cut: Interval = [Math.max(start, from), Math.min(end, to)];
    return cut[1] > cut[0] ? [cut] : [];
  });
