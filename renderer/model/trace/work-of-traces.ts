/** What the traces of a session spent: costs of their agents, calls of their tools, and the largest input of each trace. */
import { type Milliseconds, milliseconds } from '../time/time.ts';
import type { SpanTree } from './span-tree.ts';
import { agentName } from './sub-agents.ts';

export interface AgentCost {
  name: string;
  /** US dollars, without the agents that it called. */
  cost: number;
}

/** The most expensive first; those without a cost are left out. Takes O(spans). */
export function costByAgent(trees: readonly SpanTree[]): AgentCost[] {
  const costs = new Map<string, number>();
  const add = (name: string, cost: number) => costs.set(name, (costs.get(name) ?? 0) + cost);
  for (const tree of trees) {
    const agentAbove = new Int32Array(tree.size).fill(-1);
    for (let at = 0; at < tree.size; at++) {
      const parent = tree.parent[at] as number;
      const above = parent < 0 ? -1 : tree.kindAt(parent) === 'agent' ? parent : (agentAbove[parent] as number);
      agentAbove[at] = above;
      if (tree.kindAt(at) !== 'agent') continue;
      const cost = tree.total.cost[at] as number;
      add(nameOf(tree, at), cost);
      if (above >= 0) add(nameOf(tree, above), -cost);
    }
  }
  const smallest = 1e-12;
  return [...costs]
    .filter(([, cost]) => cost > smallest)
    .map(([name, cost]) => ({ name, cost }))
    .sort((a, b) => b.cost - a.cost);
}

const nameOf = (tree: SpanTree, at: number) => agentName(tree.nameAt(at)) || 'unnamed';

export interface ToolWork {
  name: string;
  calls: number;
  errors: number;
  /** Calls that have not ended; they do not count as the longest. */
  running: number;
  longest: Milliseconds;
}

/** Those with the longest call first. */
export function toolsOfTraces(trees: readonly SpanTree[]): ToolWork[] {
  const tools = new Map<string, ToolWork>();
  for (const tree of trees) {
    for (let at = 0; at < tree.size; at++) {
      if (tree.kindAt(at) !== 'tool') continue;
      const name = tree.nameAt(at) || 'unnamed';
      const tool = tools.get(name) ?? { name, calls: 0, errors: 0, running: 0, longest: milliseconds(0) };
      tool.calls++;
      if (tree.isFailed(at)) tool.errors++;
      if (tree.isPending(at)) tool.running++;
      else tool.longest = milliseconds(Math.max(tool.longest, tree.durationAt(at)));
      tools.set(name, tool);
    }
  }
  return [...tools.values()].sort((a, b) => b.longest - a.longest);
}

/** Input tokens of the model call with the most of them; 0 where no call reported any. */
export function largestInput(tree: SpanTree): number {
  let most = 0;
  for (let at = 0; at < tree.size; at++) if (tree.isGeneration(at)) most = Math.max(most, tree.own.input_tokens[at] as number);
  return most;
}
