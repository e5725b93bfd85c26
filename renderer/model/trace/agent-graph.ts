/**
 * Graph of agents, models and tools: one node for all spans of the same step of the same agent, with their totals. A sender with a graph of
 * its own (`graph.node.*`) defines nodes and edges; otherwise they follow from the tree.
 */
import type { SemanticKind } from '../../../shared/contract/tracing/semantic-kinds.ts';
import type { GraphNode } from '../../../shared/contract/tracing/traces.ts';
import type { SpanTree } from './span-tree.ts';

export interface Step {
  id: string;
  label: string;
  kind: SemanticKind;
  /** Its spans, in reading order. */
  spans: number[];
  failures: number;
  /** Sum over all its spans. */
  durationMs: number;
  cost: number;
}

export interface StepGraph {
  steps: Step[];
  /** Indexes into `steps`, with counts. */
  edges: { from: number; to: number; count: number }[];
}

function newStep(id: string, label: string, kind: SemanticKind): Step {
  return { id, label, kind, spans: [], failures: 0, durationMs: 0, cost: 0 };
}

function addSpan(step: Step, tree: SpanTree, at: number): void {
  step.spans.push(at);
  if (tree.isFailed(at)) step.failures++;
  step.durationMs += tree.durationAt(at);
  step.cost += tree.total.cost[at] as number;
}

/** Functions are skipped: their calls belong to their callers. Roots are always shown. */
export function graphOfTree(tree: SpanTree): StepGraph {
  const steps: Step[] = [];
  const indexes = new Map<string, number>();
  const edges = new Map<string, { from: number; to: number; count: number }>();
  const stepOf = new Int32Array(tree.size);
  for (let at = 0; at < tree.size; at++) {
    const parentAt = tree.parent[at] as number;
    const caller = parentAt < 0 ? -1 : (stepOf[parentAt] as number);
    const kind = tree.kindAt(at);
    if (parentAt >= 0 && kind === 'function') {
      stepOf[at] = caller;
      continue;
    }
    const label = kind === 'llm' ? (tree.modelAt(at) ?? tree.nameAt(at)) : tree.nameAt(at);
    const id = `${caller} ${kind} ${label}`;
    let place = indexes.get(id);
    if (place === undefined) {
      place = steps.push(newStep(id, label || 'unnamed', kind)) - 1;
      indexes.set(id, place);
    }
    stepOf[at] = place;
    addSpan(steps[place] as Step, tree, at);
    if (caller < 0) continue;
    const edge = edges.get(id) ?? { from: caller, to: place, count: 0 };
    edge.count++;
    edges.set(id, edge);
  }
  return { steps, edges: [...edges.values()] };
}

/** The graph that the sender describes. Several spans of one node are merged; parents without a span are left out. */
export function graphOfSender(tree: SpanTree, nodes: readonly GraphNode[]): StepGraph {
  const steps: Step[] = [];
  const indexes = new Map<string, number>();
  for (const { nodeId, spanId, displayName, spanName } of nodes) {
    const at = tree.placeOf(spanId);
    if (at === undefined) continue;
    let place = indexes.get(nodeId);
    if (place === undefined) {
      place = steps.push(newStep(nodeId, displayName || spanName || nodeId, tree.kindAt(at))) - 1;
      indexes.set(nodeId, place);
    }
    const step = steps[place] as Step;
    if (!step.spans.includes(at)) addSpan(step, tree, at);
  }
  const edges = new Map<string, { from: number; to: number; count: number }>();
  for (const { nodeId, parentNodeId = '' } of nodes) {
    const [from, to] = [indexes.get(parentNodeId), indexes.get(nodeId)];
    if (from === undefined || to === undefined) continue;
    const edge = edges.get(`${from} ${to}`) ?? { from, to, count: 0 };
    edge.count++;
    edges.set(`${from} ${to}`, edge);
  }
  return { steps, edges: [...edges.values()] };
}

export interface GraphLayout {
  /** Column and row of each step. */
  columns: number[];
  rows: number[];
  columnCount: number;
  rowCount: number;
}

/** Lays steps out: the column is the longest path from a start; a step shares the row of its first successor. */
export function layOutGraph({ steps, edges }: StepGraph): GraphLayout {
  const columns = steps.map(() => 0);
  // Without cycles, at most as many rounds as steps are needed; the limit terminates cycles.
  for (let round = 0; round < steps.length; round++) {
    let moved = false;
    for (const { from, to } of edges) {
      const next = (columns[from] as number) + 1;
      if (from === to || next <= (columns[to] as number) || next >= steps.length) continue;
      columns[to] = next;
      moved = true;
    }
    if (!moved) break;
  }
  const rows = steps.map(() => -1);
  let next = 0;
  const leads = steps.map((_, at) => edges.filter((edge) => edge.from === at && (columns[edge.to] as number) > (columns[at] as number)));
  const place = (at: number): void => {
    if ((rows[at] as number) >= 0) return;
    rows[at] = next;
    const below = (leads[at] ?? []).filter(({ to }) => (rows[to] as number) < 0);
    below.forEach(({ to }) => {
      place(to);
    });
    if (below.length === 0) next++;
  };
  const starts = steps.map((_, at) => at).sort((a, b) => (columns[a] as number) - (columns[b] as number));
  for (const at of starts) place(at);
  return { columns, rows, columnCount: Math.max(0, ...columns) + 1, rowCount: next };
}
