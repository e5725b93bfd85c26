/** What the spans below a span did: agents, models and tools with their calls, times and costs. */
import type { SemanticKind } from '../../../shared/contract/tracing/semantic-kinds.ts';
import { type Milliseconds, milliseconds } from '../time/time.ts';
import type { SpanNode } from './span-node.ts';
import { agentName } from './sub-agents.ts';

export interface Work {
  kind: SemanticKind;
  /** The model of model calls, otherwise the name of the spans. */
  name: string;
  calls: number;
  errors: number;
  /** Sum of the durations; calls at the same time count each. */
  time: Milliseconds;
  mean: Milliseconds;
  /** Null for fewer calls than a percentile needs. */
  p95: Milliseconds | null;
  max: Milliseconds;
  /** The longest call. */
  slowest: SpanNode;
  tokens: number;
  /** US dollars. Of agents with everything below them. */
  cost: number;
}

/** Calls from which on a 95th percentile is more than the largest value. */
const percentileMin = 20;

const kinds: readonly SemanticKind[] = ['agent', 'llm', 'tool', 'retrieval', 'embedding', 'guardrail'];

/** Agents first, then models, tools and the rest; within each kind those that took the most time first. Takes O(spans below). */
export function workBelow({ tree, order }: SpanNode): Work[] {
  const places = new Map<string, number[]>();
  const last = order + (tree.below[order] as number);
  for (let at = order + 1; at <= last; at++) {
    const kind = tree.kindAt(at);
    if (!kinds.includes(kind)) continue;
    const key = `${kind} ${nameAt(tree, at)}`;
    const known = places.get(key);
    if (known) known.push(at);
    else places.set(key, [at]);
  }
  const works = [...places.values()].map((group) => workOf(tree, group));
  return works.sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind) || b.time - a.time);
}

type Tree = SpanNode['tree'];

const nameAt = (tree: Tree, at: number): string => (tree.kindAt(at) === 'llm' && tree.modelAt(at)) || agentName(tree.nameAt(at));

function workOf(tree: Tree, group: readonly number[]): Work {
  const first = group[0] as number;
  const durations = group.map(tree.durationAt).sort((a, b) => a - b);
  const time = durations.reduce((sum, duration) => sum + duration, 0);
  const usage = tree.kindAt(first) === 'agent' ? tree.total : tree.own;
  const sum = (column: Float64Array) => group.reduce((total, at) => total + (column[at] as number), 0);
  return {
    kind: tree.kindAt(first),
    name: nameAt(tree, first),
    calls: group.length,
    errors: group.filter(tree.isFailed).length,
    time: milliseconds(time),
    mean: milliseconds(time / group.length),
    p95: group.length < percentileMin ? null : milliseconds(durations[Math.ceil(durations.length * 0.95) - 1] as number),
    max: milliseconds(durations.at(-1) as number),
    slowest: tree.node(group.reduce((slowest, at) => (tree.durationAt(at) > tree.durationAt(slowest) ? at : slowest), first)),
    tokens: sum(usage.tokens),
    cost: sum(usage.cost),
  };
}

/** Failed spans below a span that have no failed span below them, in reading order. */
export function causesBelow({ tree, order }: SpanNode): SpanNode[] {
  const last = order + (tree.below[order] as number);
  return [...tree.causes].filter((at) => at > order && at <= last).map((at) => tree.node(at));
}
