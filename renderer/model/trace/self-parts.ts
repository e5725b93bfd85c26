/** Own time of a span without its children, within a range. */
import type { SpanTree } from './span-tree.ts';

export interface TimePart {
  from: number;
  to: number;
}

/**
 * @param from @param to only parts in this range are needed
 * @param lengthMin shorter gaps between children are left out
 */
export function selfParts(tree: SpanTree, at: number, from: number, to: number, lengthMin: number): TimePart[] {
  const end = tree.end[at] as number;
  const last = at + (tree.below[at] as number);
  const parts: TimePart[] = [];
  let covered = tree.start[at] as number;
  for (let child = at + 1; child <= last && covered < to; child += (tree.below[child] as number) + 1) {
    const childStart = Math.min(tree.start[child] as number, end);
    if (childStart - covered >= lengthMin && childStart > from) parts.push({ from: covered, to: childStart });
    covered = Math.max(covered, Math.min(tree.end[child] as number, end));
  }
  if (end - covered >= lengthMin || last === at) parts.push({ from: covered, to: end });
  return parts;
}
