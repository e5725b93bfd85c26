/** Spans related to a span: its agent, the previous model call, and tool spans its calls may have started. */
import type { SpanNode } from '../../../model/trace/span-node.ts';
import type { SpanTree } from '../../../model/trace/span-tree.ts';

/** Agents and tools have their own conversations. */
const hasOwnConversation = (tree: SpanTree, at: number) => tree.kindAt(at) === 'agent' || tree.kindAt(at) === 'tool';

/** Nearest ancestor that is an agent or a tool, else the root. */
function agentAt(tree: SpanTree, at: number): number {
  let place = at;
  for (let above = tree.parent[at] as number; above >= 0; above = tree.parent[above] as number) {
    place = above;
    if (hasOwnConversation(tree, above)) return above;
  }
  return place;
}

/** Positions in the subtree of the span's agent, without the subtrees of its tools and nested agents. */
function spansOfAgent(tree: SpanTree, at: number): { agent: number; places: number[] } {
  const agent = agentAt(tree, at);
  const places: number[] = [];
  const last = agent + (tree.below[agent] as number);
  for (let position = agent + 1; position <= last; position++) {
    places.push(position);
    if (hasOwnConversation(tree, position)) position += tree.below[position] as number;
  }
  return { agent, places };
}

/** Previous model call of the same agent. Takes O(spans of the agent) for each opened span. */
export function previousCall({ tree, order }: SpanNode): SpanNode | null {
  if (!tree.isGeneration(order)) return null;
  const ownStart = tree.start[order] as number;
  let latest = -1;
  for (const at of spansOfAgent(tree, order).places) {
    if (at === order || !tree.isGeneration(at)) continue;
    const start = tree.start[at] as number;
    const isBefore = start < ownStart || (start === ownStart && at < order);
    if (isBefore && (latest < 0 || start >= (tree.start[latest] as number))) latest = at;
  }
  return latest < 0 ? null : tree.node(latest);
}

/** The tool spans of a call are expected among this many nearest ones. */
const toolSpansMax = 100;

/** Tool spans of the same agent, nearest in time first. */
export function toolSpansAround({ tree, order }: SpanNode): string[] {
  const { places } = spansOfAgent(tree, order);
  const ownStart = tree.start[order] as number;
  const distance = (at: number) => Math.abs((tree.start[at] as number) - ownStart);
  return places
    .filter((at) => tree.kindAt(at) === 'tool')
    .sort((a, b) => distance(a) - distance(b))
    .slice(0, toolSpansMax)
    .map(tree.idAt);
}

/** The first and the last model call below a span; null without any. */
export function firstAndLastCall({ tree, order }: SpanNode): { first: SpanNode; last: SpanNode } | null {
  const end = order + (tree.below[order] as number);
  let first = order + 1;
  while (first <= end && !tree.isGeneration(first)) first++;
  if (first > end) return null;
  let last = end;
  while (!tree.isGeneration(last)) last--;
  return { first: tree.node(first), last: tree.node(last) };
}

/** Where to find the messages of a span that has none itself: the first model call below it, or its parent. */
export function spanWithMessages({ tree, order }: SpanNode): { node: SpanNode; isBelow: boolean } | null {
  const last = order + (tree.below[order] as number);
  for (let at = order + 1; at <= last; at++) if (tree.isGeneration(at)) return { node: tree.node(at), isBelow: true };
  const above = tree.parent[order] as number;
  const isTalk = above >= 0 && (tree.kindAt(above) === 'llm' || tree.kindAt(above) === 'agent');
  return isTalk ? { node: tree.node(above), isBelow: false } : null;
}
