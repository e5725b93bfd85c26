/** Own time of a span without its children, within a range. */
import type { SpanTree } from './span-tree.ts';

export interface TimePart {
  from: number;
  to: number;
}

/**
 * @param from @param to only parts between these are wanted
 * @param least shorter gaps between children are not seen, and left out
 */
export function selfParts(tree: SpanTree, at: number, from: number, to: number, least: number): TimePart[] {
  const end = tree.end[at] as number;
  const last = at + (tree.below[at] as number);
  const parts: TimePart[] = [];
  let reached = tree.start[at] as number;
  for (let child = at + 1; child <= last && reached < to; child += (tree.below[child] as number) + 1) {
    const starts = Math.min(tree.start[child] as number, end);
    if (starts - reached >= least && starts > from) parts.push({ from: reached, to: starts });
    reached = Math.max(reached, Math.min(tree.end[child] as number, end));
  }
  if (end - reached >= least || last === at) parts.push({ from: reached, to: end });
  return parts;
}
