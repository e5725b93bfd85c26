/**
 * The tree of a trace from its flat spans. Every span appears exactly once, whatever its sender wrote: a span whose parent
 * never arrived stands at the top level, and a ring of parents is cut at its earliest span. Nothing recurses, because
 * a trace may be ten thousand levels deep. O(spans), once per answer of the gateway, never per interaction.
 */
import type { SpanInTrace } from '../../shared/contract/spans.ts';
import { clipped, covered, type Interval } from './intervals.ts';
import { type Milliseconds, milliseconds } from './time.ts';

export interface Totals {
  input_tokens: number;
  output_tokens: number;
  tokens: number;
  cost: number;
  /** Spans with tokens whose price nobody knows: the cost is at least what it says. */
  unpriced: number;
  /** Failed spans, this one included. */
  errors: number;
}

export interface SpanNode {
  span: SpanInTrace;
  parent: SpanNode | null;
  children: SpanNode[];
  depth: number;
  /** Place in reading order (depth first). */
  order: number;
  /** How many spans hang below. */
  below: number;
  /** Why it stands at the top although it names a parent. */
  detached: 'orphan' | 'cycle' | null;
  totals: Totals;
  /** Its duration without the time its children cover. */
  self: Milliseconds;
}

export interface SpanTree {
  roots: SpanNode[];
  /** Depth first, as drawn when nothing is folded. */
  nodes: SpanNode[];
  byId: ReadonlyMap<string, SpanNode>;
  /** Failed spans in reading order. */
  errors: SpanNode[];
}

const isFailed = (span: SpanInTrace) => span.status === 'ERROR';

function bare(span: SpanInTrace): SpanNode {
  const { input_tokens, output_tokens, tokens, cost, cost_source } = span;
  const totals = {
    input_tokens,
    output_tokens,
    tokens,
    cost,
    unpriced: tokens > 0 && cost_source === 'none' ? 1 : 0,
    errors: isFailed(span) ? 1 : 0,
  };
  const self = milliseconds(span.duration_ms);
  return { span, parent: null, children: [], depth: 0, order: 0, below: 0, detached: null, totals, self };
}

/** Names every parent. A second record of one id is dropped: the gateway promises one (rulings 4). */
function adopt(spans: readonly SpanInTrace[]): Map<string, SpanNode> {
  const byId = new Map<string, SpanNode>();
  for (const span of spans) if (!byId.has(span.id)) byId.set(span.id, bare(span));
  for (const node of byId.values()) {
    const { parent_id, id } = node.span;
    if (!parent_id) continue;
    node.parent = parent_id === id ? null : (byId.get(parent_id) ?? null);
    if (!node.parent) node.detached = parent_id === id ? 'cycle' : 'orphan';
  }
  return byId;
}

/** Walks up from every span; whoever meets its own path again has found a ring. Each span is walked once. */
function cutRings(byId: ReadonlyMap<string, SpanNode>): void {
  const settled = new Set<SpanNode>();
  for (const start of byId.values()) {
    const path = new Set<SpanNode>();
    let node: SpanNode | null = start;
    while (node && !settled.has(node) && !path.has(node)) {
      path.add(node);
      node = node.parent;
    }
    if (node && path.has(node)) {
      const ring = [...path].slice([...path].indexOf(node));
      const first = ring.reduce((a, b) => (b.span.timestamp < a.span.timestamp ? b : a));
      first.parent = null;
      first.detached = 'cycle';
    }
    for (const each of path) settled.add(each);
  }
}

/** Depth first. Siblings keep the gateway's order, which is oldest first to the nanosecond. */
function inReadingOrder(byId: ReadonlyMap<string, SpanNode>): { roots: SpanNode[]; nodes: SpanNode[] } {
  const roots: SpanNode[] = [];
  for (const node of byId.values()) (node.parent?.children ?? roots).push(node);
  const nodes: SpanNode[] = [];
  const waiting = [...roots].reverse();
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    node.depth = node.parent ? node.parent.depth + 1 : 0;
    node.order = nodes.length;
    nodes.push(node);
    for (let i = node.children.length - 1; i >= 0; i--) waiting.push(node.children[i] as SpanNode);
  }
  return { roots, nodes };
}

const interval = ({ span }: SpanNode): Interval => {
  const start = Date.parse(span.timestamp);
  return [start, start + span.duration_ms];
};

const summed = ['input_tokens', 'output_tokens', 'tokens', 'cost'] as const;

/** A parent that repeats its children's numbers counts once: per number, the larger of its own and their sum (ingest 2.7). */
function addUp(node: SpanNode): void {
  const { totals, children } = node;
  for (const key of summed) {
    const sum = children.reduce((all, child) => all + child.totals[key], 0);
    totals[key] = Math.max(totals[key], sum);
  }
  for (const child of children) {
    node.below += child.below + 1;
    totals.errors += child.totals.errors;
  }
  // A wrapper that repeats the tokens of its calls has no price of its own to miss.
  const unpricedBelow = children.reduce((all, child) => all + child.totals.unpriced, 0);
  if (children.some((child) => child.totals.tokens > 0)) totals.unpriced = unpricedBelow;
  if (children.length === 0) return;
  const own = interval(node);
  node.self = milliseconds(Math.max(0, own[1] - own[0] - covered(clipped(children.map(interval), own))));
}

export function buildSpanTree(spans: readonly SpanInTrace[]): SpanTree {
  const byId = adopt(spans);
  cutRings(byId);
  const { roots, nodes } = inReadingOrder(byId);
  for (let i = nodes.length - 1; i >= 0; i--) addUp(nodes[i] as SpanNode);
  return { roots, nodes, byId, errors: nodes.filter(({ span }) => isFailed(span)) };
}

/** From the span up to its root, without itself. */
export function ancestors(node: SpanNode): SpanNode[] {
  const path: SpanNode[] = [];
  for (let up = node.parent; up; up = up.parent) path.push(up);
  return path;
}
