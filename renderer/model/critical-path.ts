/**
 * The chain of work that the end of a trace waited for: from the end backward, at every moment the child that ended last before
 * it, and the span itself where no child ran. Only spans on the chain are looked at, so it is linear in their children.
 */
import type { SpanTree } from './span-tree.ts';

export interface CriticalPath {
  /** Parts of the chain, by span in reading order; `from` and `to` in milliseconds after the origin. */
  at: Int32Array;
  from: Float64Array;
  to: Float64Array;
  /** Where the parts of each span begin among those; the last entry is the count of all. */
  first: Int32Array;
}

interface Part {
  at: number;
  from: number;
  to: number;
}

export function criticalPath(tree: SpanTree): CriticalPath {
  const parts: Part[] = [];
  const waiting: Part[] = [];
  const root = lastRoot(tree);
  if (root >= 0) waiting.push({ at: root, from: tree.start[root] as number, to: tree.end[root] as number });
  for (let span = waiting.pop(); span; span = waiting.pop()) follow(tree, span, parts, waiting);
  parts.sort((a, b) => a.at - b.at || a.from - b.from);
  const first = new Int32Array(tree.size + 1);
  for (const { at } of parts) first[at + 1] = (first[at + 1] as number) + 1;
  for (let at = 0; at < tree.size; at++) first[at + 1] = (first[at + 1] as number) + (first[at] as number);
  return {
    at: Int32Array.from(parts, (part) => part.at),
    from: Float64Array.from(parts, (part) => part.from),
    to: Float64Array.from(parts, (part) => part.to),
    first,
  };
}

/** Of several roots the one that ended last: that is what was waited for. */
function lastRoot(tree: SpanTree): number {
  let found = -1;
  for (let at = 0; at < tree.size; at += (tree.below[at] as number) + 1) {
    if (found < 0 || (tree.end[at] as number) > (tree.end[found] as number)) found = at;
  }
  return found;
}

/** Splits the time of one span between itself and its children. What a child did outside its parent's time is cut off. */
function follow(tree: SpanTree, span: Part, parts: Part[], waiting: Part[]): void {
  const endIn = (child: number) => Math.min(tree.end[child] as number, span.to);
  const children = tree.childrenOf(span.at).sort((a, b) => endIn(b) - endIn(a) || (tree.start[b] as number) - (tree.start[a] as number));
  let reached = span.to;
  for (const child of children) {
    const to = endIn(child);
    const from = Math.max(tree.start[child] as number, span.from);
    // One that ended after what was reached ran beside it, and nobody waited for it.
    if (to > reached || from >= to) continue;
    if (to < reached) parts.push({ at: span.at, from: to, to: reached });
    waiting.push({ at: child, from, to });
    reached = from;
  }
  if (reached > span.from) parts.push({ at: span.at, from: span.from, to: reached });
}
