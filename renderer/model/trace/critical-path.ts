/**
 * Critical path of a trace: from its end backwards, at each moment the child that ended last before it, else the span itself. Only spans on
 * the path are read, so it is linear in their children.
 */
import type { SpanTree } from './span-tree.ts';

export interface CriticalPath {
  /** Parts of the path, sorted by span in reading order; `from` and `to` in milliseconds after the origin. */
  at: Int32Array;
  from: Float64Array;
  to: Float64Array;
  /** Index of the first part of each span; the last entry is the total. */
  first: Int32Array;
}

interface Part {
  at: number;
  from: number;
  to: number;
}

export function criticalPath(tree: SpanTree): CriticalPath {
  const parts: Part[] = [];
  const pending: Part[] = [];
  const root = lastRoot(tree);
  if (root >= 0) pending.push({ at: root, from: tree.start[root] as number, to: tree.end[root] as number });
  for (let span = pending.pop(); span; span = pending.pop()) splitSpan(tree, span, parts, pending);
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

/** The root that ended last. */
function lastRoot(tree: SpanTree): number {
  let lastEnding = -1;
  for (let at = 0; at < tree.size; at += (tree.below[at] as number) + 1) {
    if (lastEnding < 0 || (tree.end[at] as number) > (tree.end[lastEnding] as number)) lastEnding = at;
  }
  return lastEnding;
}

/** Splits the time of a span between itself and its children. The time of a child outside its parent is ignored. */
function splitSpan(tree: SpanTree, span: Part, parts: Part[], pending: Part[]): void {
  const endIn = (child: number) => Math.min(tree.end[child] as number, span.to);
  const children = tree.childrenOf(span.at).sort((a, b) => endIn(b) - endIn(a) || (tree.start[b] as number) - (tree.start[a] as number));
  let covered = span.to;
  for (const child of children) {
    const to = endIn(child);
    const from = Math.max(tree.start[child] as number, span.from);
    // A span that ended later ran in parallel and is not on the critical path.
    if (to > covered || from >= to) continue;
    if (to < covered) parts.push({ at: span.at, from: to, to: covered });
    pending.push({ at: child, from, to });
    covered = from;
  }
  if (covered > span.from) parts.push({ at: span.at, from: span.from, to: covered });
}
