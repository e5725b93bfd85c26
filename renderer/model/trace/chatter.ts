/** Spans by which a framework or an instrumentation records its own work, so that they can be folded. O(spans), once per response. */
import { outlineFlag } from '../../../shared/contract/tracing/outline-flags.ts';
import type { SpanTree } from './span-tree.ts';

/** Mastra's parts of a streamed answer, and LangGraph's channels. */
const ownNames = /^(model_chunk\b|chunk: |ChannelWrite<|ChannelRead<|Branch<)/;

export interface Chatter {
  /** 1 where a span and everything below it is chatter. */
  whole: Uint8Array;
  /** Spans whose descendants are all chatter, without being chatter themselves. */
  folded: readonly number[];
  /** Adjacent siblings that are chatter with what is below them, beside siblings that are not: number of spans, at the first of them. */
  length: Int32Array;
  /** First span of the run that a span belongs to, -1 for none. */
  first: Int32Array;
}

export function chatterOf(tree: SpanTree): Chatter {
  const whole = wholeSubtrees(tree);
  const length = new Int32Array(tree.size);
  const first = new Int32Array(tree.size).fill(-1);
  const folded: number[] = [];
  const hasMore = new Uint8Array(tree.size);
  for (let at = 0; at < tree.size; at++) if (whole[at] === 0 && (tree.parent[at] as number) >= 0) hasMore[tree.parent[at] as number] = 1;
  for (let at = 0; at < tree.size; at++) {
    if (whole[at] === 0 && (tree.below[at] as number) > 0 && hasMore[at] === 0) folded.push(at);
    const parent = tree.parent[at] as number;
    if (whole[at] === 0 || first[at] !== -1 || parent < 0 || hasMore[parent] === 0) continue;
    let end = at;
    while (end < tree.size && whole[end] === 1 && tree.parent[end] === parent) end += (tree.below[end] as number) + 1;
    first.fill(at, at, end);
    // A single span is as long as what would stand for it.
    if (end - at > 1) length[at] = end - at;
    else first[at] = -1;
  }
  return { whole, folded, length, first };
}

/** Not what failed, is in progress or cost something: that is looked for. */
function wholeSubtrees(tree: SpanTree): Uint8Array {
  const { outline, order, flags, total, failures } = tree;
  const isNamed = outline.names.map((name) => ownNames.test(name));
  const whole = new Uint8Array(tree.size);
  const hasOther = new Uint8Array(tree.size);
  for (let at = tree.size - 1; at >= 0; at--) {
    const isOwn =
      ((flags[at] as number) & outlineFlag.bookkeeping) !== 0 ||
      (isNamed[outline.spans.name[order[at] as number] as number] === true && tree.kindAt(at) === 'function');
    const isQuiet = failures[at] === 0 && total.tokens[at] === 0 && total.cost[at] === 0 && !tree.isPending(at);
    if (isOwn && isQuiet && hasOther[at] === 0) whole[at] = 1;
    else if ((tree.parent[at] as number) >= 0) hasOther[tree.parent[at] as number] = 1;
  }
  return whole;
}

/** The span itself, or the nearest one above it that is not chatter. */
export function aboveChatter({ whole }: Chatter, tree: SpanTree, at: number): number {
  let shown = at;
  while (whole[shown] === 1 && (tree.parent[shown] as number) >= 0) shown = tree.parent[shown] as number;
  return shown;
}
