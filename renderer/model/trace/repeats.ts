/** The same small step again and again, so that a tree can show it once. O(spans), once per answer. */
import type { SpanTree } from './span-tree.ts';

/** Fewer are read faster than a count of them. */
const runMin = 4;

export interface Repeats {
  /** How many steps a span is the first of; 0 for every other. */
  length: Int32Array;
  /** The first of the steps a span belongs to, -1 for none. */
  first: Int32Array;
}

/** Successful siblings with one name, without children and cost, which are uninteresting one by one. */
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
  const goesOn = (from: number, at: number) =>
    at < tree.size && parent[at] === parent[from] && isPlain(at) && name(at) === name(from) && tree.kind[at] === tree.kind[from];
  for (let from = 0; from < tree.size; ) {
    let to = from + 1;
    if (isPlain(from)) while (goesOn(from, to)) to++;
    if (to - from >= runMin) {
      length[from] = to - from;
      first.fill(from, from, to);
    }
    from = to;
  }
  return { length, first };
}
