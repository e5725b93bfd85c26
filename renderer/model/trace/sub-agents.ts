/** Agents that the agent of a trace called. O(spans), once per response. */
import { semanticKinds } from '../../../shared/contract/tracing/semantic-kinds.ts';
import type { SpanTree } from './span-tree.ts';

export interface SubAgent {
  /** Position of its span. */
  at: number;
  name: string;
  /** Model calls, those of its own sub-agents included. */
  calls: number;
  /** Failed spans without a failed span below them. */
  errors: number;
  /** US dollars, with everything below it. */
  cost: number;
  /** Positions of its first and last model call; -1 without any. */
  first: number;
  last: number;
}

/** Agents by their own names: spans of the GenAI conventions begin with the operation. */
export const agentName = (name: string): string => name.replace(/^invoke_agent /, '');

const agentKind = semanticKinds.indexOf('agent');
/** Steps that an agent does itself. One without any, and with one agent below it, only wraps that agent. */
const ownSteps = ['llm', 'tool', 'retrieval', 'embedding'];

/** The agents directly below the agent of the trace, in reading order; of several agents without a common one, all. */
export function subAgents(tree: SpanTree): SubAgent[] {
  const children = new Map<number, number[]>();
  const hasOwn = new Set<number>();
  const holds = holdingAgents(tree);
  const agentAbove = new Int32Array(tree.size).fill(-1);
  for (let at = 0; at < tree.size; at++) {
    const parent = tree.parent[at] as number;
    const above = parent < 0 ? -1 : tree.kind[parent] === agentKind ? parent : (agentAbove[parent] as number);
    agentAbove[at] = above;
    if (tree.kind[at] === agentKind) children.set(above, [...(children.get(above) ?? []), at]);
    else if (ownSteps.includes(tree.kindAt(at)) && holds[at] === 0) hasOwn.add(above);
  }
  let main = -1;
  for (let only = children.get(main); only?.length === 1 && !hasOwn.has(main); only = children.get(main)) main = only[0] as number;
  return (children.get(main) ?? []).map((at) => describe(tree, at));
}

/** 1 for a span with an agent below it: a tool that only runs an agent is no step of the caller. */
function holdingAgents(tree: SpanTree): Uint8Array {
  const holds = new Uint8Array(tree.size);
  for (let at = tree.size - 1; at >= 0; at--) {
    const parent = tree.parent[at] as number;
    if (parent >= 0 && (holds[at] === 1 || tree.kind[at] === agentKind)) holds[parent] = 1;
  }
  return holds;
}

function describe(tree: SpanTree, at: number): SubAgent {
  const end = at + (tree.below[at] as number);
  let [calls, first, last] = [0, -1, -1];
  for (let below = at + 1; below <= end; below++) {
    if (!tree.isGeneration(below)) continue;
    calls++;
    if (first < 0) first = below;
    last = below;
  }
  return {
    at,
    name: agentName(tree.nameAt(at)) || 'unnamed',
    calls,
    errors: tree.causes.filter((cause) => cause >= at && cause <= end).length,
    cost: tree.total.cost[at] as number,
    first,
    last,
  };
}
