/**
 * Trace as columns in reading order: the descendants of a span directly follow it, so a subtree is a range and a row is a number. A SpanNode
 * object exists only for a span that is shown. O(spans) for each response of the gateway.
 */
import { outlineFlag } from '../../../shared/contract/tracing/outline-flags.ts';
import { type SemanticKind, semanticKinds } from '../../../shared/contract/tracing/semantic-kinds.ts';
import type { TraceOutline } from '../../../shared/contract/tracing/trace-outline.ts';
import { readingOrder } from './reading-order.ts';
import { SpanNode } from './span-node.ts';

/** Usage of single spans, or of whole subtrees. */
export interface UsageColumns {
  input_tokens: Float64Array;
  output_tokens: Float64Array;
  tokens: Float64Array;
  cost: Float64Array;
}

const usageKeys = ['input_tokens', 'output_tokens', 'tokens', 'cost'] as const;
export const failed = 2;

export class SpanTree {
  readonly outline: TraceOutline;
  readonly size: number;
  /** Index in the outline, which is in order of time, for each position in reading order. */
  readonly order: Int32Array;
  /** The inverse: position in reading order for each index in the outline. */
  readonly readAt: Int32Array;
  readonly parent: Int32Array;
  readonly depth: Int32Array;
  /** Number of descendants: the subtree of `at` is `at` to `at + below[at]`. */
  readonly below: Int32Array;
  /** Milliseconds after the outline's origin. */
  readonly start: Float64Array;
  readonly end: Float64Array;
  /** Duration of a span without the time covered by its children. */
  readonly self: Float64Array;
  readonly status: Uint8Array;
  readonly kind: Uint8Array;
  readonly flags: Uint8Array;
  /** 1 where a cycle of parents was cut. */
  readonly cut: Uint8Array;
  readonly own: UsageColumns;
  readonly total: UsageColumns;
  /** Spans with tokens of unknown price in the subtree. */
  readonly unpriced: Int32Array;
  /** Failed spans in the subtree. */
  readonly failures: Int32Array;
  /** Failed spans in reading order, and those of them without failed descendants, the causes. */
  readonly failedAt: Int32Array;
  readonly causes: Int32Array;
  /** When the last span ended, or, while one is in progress, when the outline was read. Milliseconds after the origin. */
  readonly horizon: number;
  #positions: Map<string, number> | undefined;
  readonly #nodes = new Map<number, SpanNode>();

  /** @param readMs time of the outline in epoch milliseconds, for the duration of spans in progress */
  constructor(outline: TraceOutline, readMs: number) {
    const { spans } = outline;
    const size = spans.id.length;
    const { order, readAt, parent, cut } = readingOrder(spans.parent);
    this.outline = outline;
    this.size = size;
    this.order = order;
    this.readAt = readAt;
    this.parent = parent;
    this.cut = inOrder(new Uint8Array(size), cut, order);
    this.kind = inOrder(new Uint8Array(size), spans.kind, order);
    this.status = inOrder(new Uint8Array(size), spans.status, order);
    this.flags = inOrder(new Uint8Array(size), spans.flags, order);
    this.start = inOrder(new Float64Array(size), spans.start_us, order);
    for (let at = 0; at < size; at++) this.start[at] = (this.start[at] as number) / 1000;
    this.end = new Float64Array(size);
    this.horizon = this.#computeEnds(readMs);
    this.own = usageColumns((key) => inOrder(new Float64Array(size), spans[key], order));
    this.total = usageColumns((key) => this.own[key].slice());
    this.depth = new Int32Array(size);
    this.below = new Int32Array(size);
    this.unpriced = new Int32Array(size);
    this.failures = new Int32Array(size);
    this.self = new Float64Array(size);
    this.#computeTotals();
    this.#computeSelfTimes();
    const failedAt: number[] = [];
    for (let at = 0; at < size; at++) if (this.status[at] === failed) failedAt.push(at);
    this.failedAt = Int32Array.from(failedAt);
    this.causes = this.failedAt.filter((at) => this.failures[at] === 1);
  }

  #computeEnds(readMs: number): number {
    const { spans, origin } = this.outline;
    let last = 0;
    let pending = false;
    for (let at = 0; at < this.size; at++) {
      this.end[at] = (this.start[at] as number) + (spans.duration_us[this.order[at] as number] as number) / 1000;
      last = Math.max(last, this.end[at] as number);
      pending ||= this.isPending(at);
    }
    if (!pending) return last;
    const now = Math.max(last, readMs - Date.parse(origin));
    for (let at = 0; at < this.size; at++) if (this.isPending(at)) this.end[at] = now;
    return now;
  }

  #computeTotals(): void {
    const { parent, depth, below, total, unpriced, failures, flags, status } = this;
    const childTokens = sumSubtrees(total.tokens, parent);
    for (const key of usageKeys) if (key !== 'tokens') sumSubtrees(total[key], parent);
    for (let at = 0; at < this.size; at++) depth[at] = (parent[at] as number) < 0 ? 0 : (depth[parent[at] as number] as number) + 1;
    for (let at = this.size - 1; at >= 0; at--) {
      // A wrapper that repeats the tokens of its calls needs no price of its own.
      const hasPricedChildren = (childTokens[at] as number) > 0;
      if (!hasPricedChildren) unpriced[at] = ((flags[at] as number) & outlineFlag.unpriced) === 0 ? 0 : 1;
      if (status[at] === failed) failures[at] = (failures[at] as number) + 1;
      const parentAt = parent[at] as number;
      if (parentAt < 0) continue;
      below[parentAt] = (below[parentAt] as number) + (below[at] as number) + 1;
      unpriced[parentAt] = (unpriced[parentAt] as number) + (unpriced[at] as number);
      failures[parentAt] = (failures[parentAt] as number) + (failures[at] as number);
    }
  }

  /** Children are sorted by start, so one pass computes the union of their times. */
  #computeSelfTimes(): void {
    const { start, end, self, parent } = this;
    const coveredUntil = start.slice();
    for (let at = 0; at < this.size; at++) self[at] = (end[at] as number) - (start[at] as number);
    for (let at = 0; at < this.size; at++) {
      const parentAt = parent[at] as number;
      if (parentAt < 0) continue;
      const from = Math.max(start[at] as number, coveredUntil[parentAt] as number);
      const to = Math.min(end[at] as number, end[parentAt] as number);
      if (to <= from) continue;
      self[parentAt] = Math.max(0, (self[parentAt] as number) - (to - from));
      coveredUntil[parentAt] = to;
    }
  }

  idAt = (at: number): string => this.outline.spans.id[this.order[at] as number] as string;
  nameAt = (at: number): string => this.outline.names[this.outline.spans.name[this.order[at] as number] as number] ?? '';
  modelAt = (at: number): string | null => this.outline.models[this.outline.spans.model[this.order[at] as number] as number] ?? null;
  kindAt = (at: number): SemanticKind => semanticKinds[this.kind[at] as number] ?? 'function';
  /** Time to first token, in milliseconds; null when not known. */
  firstTokenAt = (at: number): number | null => {
    const us = this.outline.spans.ttft_us[this.order[at] as number] as number;
    return us < 0 ? null : us / 1000;
  };
  durationAt = (at: number): number => (this.end[at] as number) - (this.start[at] as number);
  isPending = (at: number): boolean => ((this.flags[at] as number) & outlineFlag.pending) !== 0;
  isFailed = (at: number): boolean => this.status[at] === failed;
  isGeneration = (at: number): boolean => ((this.flags[at] as number) & outlineFlag.generation) !== 0;

  /** Position of a span by id; undefined for one that has not arrived. The first call builds an index. */
  placeOf = (id: string): number | undefined => {
    this.#positions ??= this.#buildPositions();
    return this.#positions.get(id);
  };

  #buildPositions(): Map<string, number> {
    const positions = new Map<string, number>();
    for (let at = this.size - 1; at >= 0; at--) positions.set(this.idAt(at), at);
    return positions;
  }

  node(at: number): SpanNode {
    const cached = this.#nodes.get(at);
    if (cached) return cached;
    const node = new SpanNode(this, at);
    this.#nodes.set(at, node);
    return node;
  }

  /** The node of a span by its id. */
  find = (id: string): SpanNode | undefined => {
    const at = this.placeOf(id);
    return at === undefined ? undefined : this.node(at);
  };

  /** All spans as objects, in reading order. For small traces and single uses, not for each frame. */
  get nodes(): SpanNode[] {
    return Array.from({ length: this.size }, (_, at) => this.node(at));
  }

  /** Positions of the direct children. */
  childrenOf(at: number): number[] {
    const children: number[] = [];
    const last = at + (this.below[at] as number);
    for (let child = at + 1; child <= last; child += (this.below[child] as number) + 1) children.push(child);
    return children;
  }
}

/** A column of the outline in reading order. A loop: `TypedArray.from` with a function takes ten times as long. */
function inOrder<C extends Uint8Array | Float64Array>(into: C, column: ArrayLike<number>, order: Int32Array): C {
  for (let at = 0; at < order.length; at++) into[at] = column[order[at] as number] as number;
  return into;
}

/**
 * Turns values of single spans into those of subtrees, in place. A parent that repeats its children's values counts once: the larger of its
 * own and their sum (docs/reference/ingest.md#double-counting).
 * @returns the sum of the children of each span
 */
function sumSubtrees(total: Float64Array, parent: Int32Array): Float64Array {
  const sums = new Float64Array(total.length);
  for (let at = total.length - 1; at >= 0; at--) {
    const larger = Math.max(total[at] as number, sums[at] as number);
    total[at] = larger;
    const parentAt = parent[at] as number;
    if (parentAt >= 0) sums[parentAt] = (sums[parentAt] as number) + larger;
  }
  return sums;
}

const usageColumns = (column: (key: (typeof usageKeys)[number]) => Float64Array): UsageColumns => ({
  input_tokens: column('input_tokens'),
  output_tokens: column('output_tokens'),
  tokens: column('tokens'),
  cost: column('cost'),
});
