/**
 * The steps of a run in the order in which it took them. What is no choice of the run is taken out: which of several calls at the same time began
 * first, and attempts that failed before one of the same call succeeded.
 */
import type { RunSpan, StepParts } from './run-span.ts';

export interface RunStep {
  span: RunSpan;
  /** Spans with steps below them are two steps: what they were asked, and what they answered. */
  phase: 'whole' | 'start' | 'end';
  /** No other step is above it. */
  isRoot: boolean;
  /** Of the nearest agent above; empty without one. */
  agent: string;
  /** Failed attempts at the same call before this one. */
  failedAttempts: number;
  /** The same for steps that do the same kind of thing. */
  identity: string;
  /** The same for steps that were also given the same. */
  key: string;
  parts: StepParts;
}

interface Node {
  span: RunSpan;
  parent: Node | null;
  children: Node[];
  /** See `RunStep`. */
  agent: string;
  /** The only root: it is the run itself, and is the same step in every run, whatever its name. */
  isRun: boolean;
  /** Whether the nearest agent above is the run itself. */
  isOfRun: boolean;
}

export function runSteps(spans: readonly RunSpan[]): RunStep[] {
  const steps: RunStep[] = [];
  // No recursion: a run may be ten thousand levels deep.
  const open: { node: Node; isEnd: boolean }[] = inOrder(treeOf(spans)).map((node) => ({ node, isEnd: false }));
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, isEnd } = next;
    const { span, children } = node;
    if (isEnd || children.length === 0) {
      steps.push(stepOf(node, isEnd ? 'end' : 'whole'));
      continue;
    }
    steps.push(stepOf(node, 'start'));
    open.push({ node, isEnd: true });
    for (const child of inOrder(children)) {
      child.agent = span.kind === 'agent' ? span.name : node.agent;
      child.isOfRun = span.kind === 'agent' ? node.isRun : node.isOfRun;
      open.push({ node: child, isEnd: false });
    }
  }
  return withoutRetries(steps);
}

/** Spans by their parents; those whose parent is missing are roots, and a cycle of parents is cut at one of its spans. */
function treeOf(spans: readonly RunSpan[]): Node[] {
  const sorted = [...spans].sort((a, b) => a.startMs - b.startMs || b.durationMs - a.durationMs || (a.id < b.id ? -1 : 1));
  const nodes = new Map(
    sorted.map((span): [string, Node] => [span.id, { span, parent: null, children: [], agent: '', isRun: false, isOfRun: false }]),
  );
  for (const node of nodes.values()) node.parent = nodes.get(node.span.parentId ?? '') ?? null;
  const seen = new Map<Node, Node>();
  for (const start of nodes.values()) {
    for (let at: Node | null = start; at && !seen.has(at); at = at.parent) {
      seen.set(at, start);
      if (at.parent && seen.get(at.parent) === start) at.parent = null;
    }
  }
  for (const node of nodes.values()) node.parent?.children.push(node);
  const roots = [...nodes.values()].filter(({ parent }) => parent === null);
  for (const root of roots) root.isRun = roots.length === 1 && root.span.kind === 'agent';
  return roots;
}

/** Siblings, the last first. Those of one kind that ran at the same time are sorted by what they were given. */
function inOrder(siblings: readonly Node[]): Node[] {
  const ordered: Node[] = [];
  for (let from = 0; from < siblings.length; ) {
    const first = siblings[from] as Node;
    let [to, end] = [from + 1, first.span.startMs + first.span.durationMs];
    for (let next = siblings[to]; next && next.span.kind === first.span.kind && next.span.startMs < end; next = siblings[++to])
      end = Math.max(end, next.span.startMs + next.span.durationMs);
    const group = siblings.slice(from, to).map((node) => ({ node, key: keyOf(node.span) }));
    if (group.length > 1) group.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
    for (const { node } of group) ordered.push(node);
    from = to;
  }
  return ordered.reverse();
}

const textOf = (parts: StepParts): string =>
  Object.entries(parts)
    .map(([part, text]) => `${part} ${text}`)
    .join('\n');
const keyOf = ({ kind, name, given, results }: RunSpan): string => `${kind} ${name}\n${textOf(given)}\n${textOf(results)}`;

function stepOf({ span, parent, agent, isRun, isOfRun }: Node, phase: RunStep['phase']): RunStep {
  // The model of a call is one of its parts.
  const name = span.kind === 'llm' || isRun ? '' : span.name;
  const identity = `${phase} ${span.kind} ${name} ${isOfRun ? '' : agent}`;
  const given = phase === 'end' ? {} : span.given;
  const parts = { ...given, ...(phase === 'start' || span.isRunning ? {} : span.results) };
  return { span, phase, isRoot: parent === null, agent, failedAttempts: 0, identity, key: `${identity}\n${textOf(given)}`, parts };
}

function withoutRetries(steps: readonly RunStep[]): RunStep[] {
  const kept: RunStep[] = [];
  for (const step of steps) {
    const before = kept.at(-1);
    const isRetry =
      before?.phase === 'whole' && before.span.isFailed && before.key === step.key && before.span.parentId === step.span.parentId;
    if (isRetry) kept[kept.length - 1] = { ...step, failedAttempts: before.failedAttempts + 1 };
    else kept.push(step);
  }
  return kept;
}
