/** Repeated small steps, so that a tree can show them once. O(spans), once per response. */
import type { SpanTree } from './span-tree.ts';

/** A shorter run is easier to read than a count of it. */
const runMin = 4;

export interface Repeats {
  /** Length of the run at its first span; 0 for every other span. */
  length: Int32Array;
  /** First span of the run that a span belongs to, -1 for none. */
  first: Int32Array;
}

/** Finds runs of successful siblings with one name, without children and cost. */
export function repeatsOf(tree: SpanTree): Repeats {
  const length = new Int32Array(tree.size);
  const first = new Int32Array(tree.size).fill(-1);
  const { order, outline, parent, below, total } = tree;
  const name = (at: number) => outline.spans.name[order[at] as number];
  const isPlain = (at: number) =>
    below[at] === 0 &&
    total.tokens[at] === 0 &&
    total.cost[at] === 0 &&
    !tree.isFailed(at) &&
    !tree.isPending(at) &&
    (parent[at] as number) >= 0;
  const continuesRun = (from: number, at: number) =>
    at < tree.size && parent[at] === parent[from] && isPlain(at) && name(at) === name(from) && tree.kind[at] === tree.kind[from];
  for (let from = 0; from < tree.size; ) {
    let to = from + 1;
    if (isPlain(from)) while (continuesRun(from, to)) to++;
    if (to - from >= runMin) {
      length[from] = to - from;
      first.fill(from, from, to);
    }
    from = to;
  }
  return { length, first };
}
