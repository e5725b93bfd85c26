/** Spans related to a span: its agent, the previous model call, and tool spans its calls may have started. */
import type { SpanNode } from '../../../model/trace/span-node.ts';
import type { SpanTree } from '../../../model/trace/span-tree.ts';

/** Agents and tools have conversations of their own. */
const isApart = (tree: SpanTree, at: number) => tree.kindAt(at) === 'agent' || tree.kindAt(at) === 'tool';

/** Nearest ancestor that is an agent or a tool, else the root. */
function agentAt(tree: SpanTree, at: number): number {
  let place = at;
  for (let above = tree.parent[at] as number; above >= 0; above = tree.parent[above] as number) {
    place = above;
    if (isApart(tree, above)) return above;
  }
  return place;
}

/** Positions in the subtree of the span's agent, without the subtrees of its tools and nested agents. */
function companions(tree: SpanTree, at: number): { agent: number; places: number[] } {
  const agent = agentAt(tree, at);
  const places: number[] = [];
  const last = agent + (tree.below[agent] as number);
  for (let each = agent + 1; each <= last; each++) {
    places.push(each);
    if (isApart(tree, each)) each += tree.below[each] as number;
  }
  return { agent, places };
}

/** Previous model call of the same agent. O(spans of the agent), once for each opened span. */
export function previousCall({ tree, order }: SpanNode): SpanNode | null {
  if (!tree.isGeneration(order)) return null;
  const mine = tree.start[order] as number;
  let found = -1;
  for (const at of companions(tree, order).places) {
    if (at === order || !tree.isGeneration(at)) continue;
    const start = tree.start[at] as number;
    const isBefore = start < mine || (start === mine && at < order);
    if (isBefore && (found < 0 || start >= (tree.start[found] as number))) found = at;
  }
  return found < 0 ? null : tree.node(found);
}

/** Limit: the tool spans of a call are among the nearest. */
const toolSpansMax = 100;

/** Tool spans of the same agent, nearest in time first. */
export function toolSpansAround({ tree, order }: SpanNode): string[] {
  const { places } = companions(tree, order);
  const mine = tree.start[order] as number;
  const distance = (at: number) => Math.abs((tree.start[at] as number) - mine);
  return places
    .filter((at) => tree.kindAt(at) === 'tool')
    .sort((a, b) => distance(a) - distance(b))
    .slice(0, toolSpansMax)
    .map(tree.idAt);
}

/** Span with the messages that a span itself lacks: the first model call below it, or its parent. */
export function spanWithMessages({ tree, order }: SpanNode): { node: SpanNode; isBelow: boolean } | null {
  const last = order + (tree.below[order] as number);
  for (let at = order + 1; at <= last; at++) if (tree.isGeneration(at)) return { node: tree.node(at), isBelow: true };
  const above = tree.parent[order] as number;
  const isTalk = above >= 0 && (tree.kindAt(above) === 'llm' || tree.kindAt(above) === 'agent');
  return isTalk ? { node: tree.node(above), isBelow: false } : null;
}
