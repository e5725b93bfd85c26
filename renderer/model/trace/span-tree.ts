/**
 * Trace as columns in reading order: the descendants of a span directly follow it, so a subtree is a range and a row is a number. A SpanNode
 * object exists only for a span that is shown. O(spans) for each answer of the gateway.
 */
import { outlineFlag } from '../../../shared/contract/tracing/outline-flags.ts';
import { type SemanticKind, semanticKinds } from '../../../shared/contract/tracing/semantic-kinds.ts';
import type { TraceOutline } from '../../../shared/contract/tracing/trace-outline.ts';
import { readingOrder } from './reading-order.ts';
import { SpanNode } from './span-node.ts';

/** Figures of single spans, or of whole subtrees. */
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
  /** And back: from the place in time to the one in reading order. */
  readonly readAt: Int32Array;
  readonly parent: Int32Array;
  readonly depth: Int32Array;
  /** How many spans hang below: the subtree of `at` is `at` to `at + below[at]`. */
  readonly below: Int32Array;
  /** Milliseconds after the outline's origin. */
  readonly start: Float64Array;
  readonly end: Float64Array;
  /** Duration of a span without the time covered by its children. */
  readonly self: Float64Array;
  readonly status: Uint8Array;
  readonly kind: Uint8Array;
  readonly flags: Uint8Array;
  /** 1 where a ring of parents was cut. */
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
  #places: Map<string, number> | undefined;
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
    this.horizon = this.#ends(readMs);
    this.own = usageOf((key) => inOrder(new Float64Array(size), spans[key], order));
    this.total = usageOf((key) => this.own[key].slice());
    this.depth = new Int32Array(size);
    this.below = new Int32Array(size);
    this.unpriced = new Int32Array(size);
    this.failures = new Int32Array(size);
    this.self = new Float64Array(size);
    this.#addUp();
    this.#timeAlone();
    const failedAt: number[] = [];
    for (let at = 0; at < size; at++) if (this.status[at] === failed) failedAt.push(at);
    this.failedAt = Int32Array.from(failedAt);
    this.causes = this.failedAt.filter((at) => this.failures[at] === 1);
  }

  #ends(readMs: number): number {
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

  #addUp(): void {
    const { parent, depth, below, total, unpriced, failures, flags, status } = this;
    const childTokens = addUp(total.tokens, parent);
    for (const key of usageKeys) if (key !== 'tokens') addUp(total[key], parent);
    for (let at = 0; at < this.size; at++) depth[at] = (parent[at] as number) < 0 ? 0 : (depth[parent[at] as number] as number) + 1;
    for (let at = this.size - 1; at >= 0; at--) {
      // A wrapper that repeats the tokens of its calls misses no price of its own.
      const hasPricedChildren = (childTokens[at] as number) > 0;
      if (!hasPricedChildren) unpriced[at] = ((flags[at] as number) & outlineFlag.unpriced) === 0 ? 0 : 1;
      if (status[at] === failed) failures[at] = (failures[at] as number) + 1;
      const above = parent[at] as number;
      if (above < 0) continue;
      below[above] = (below[above] as number) + (below[at] as number) + 1;
      unpriced[above] = (unpriced[above] as number) + (unpriced[at] as number);
      failures[above] = (failures[above] as number) + (failures[at] as number);
    }
  }

  /** Children are in order of their starts, so one pass computes their union. */
  #timeAlone(): void {
    const { start, end, self, parent } = this;
    const reached = start.slice();
    for (let at = 0; at < this.size; at++) self[at] = (end[at] as number) - (start[at] as number);
    for (let at = 0; at < this.size; at++) {
      const above = parent[at] as number;
      if (above < 0) continue;
      const from = Math.max(start[at] as number, reached[above] as number);
      const to = Math.min(end[at] as number, end[above] as number);
      if (to <= from) continue;
      self[above] = Math.max(0, (self[above] as number) - (to - from));
      reached[above] = to;
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
    this.#places ??= this.#placesById();
    return this.#places.get(id);
  };

  #placesById(): Map<string, number> {
    const places = new Map<string, number>();
    for (let at = this.size - 1; at >= 0; at--) places.set(this.idAt(at), at);
    return places;
  }

  node(at: number): SpanNode {
    const known = this.#nodes.get(at);
    if (known) return known;
    const made = new SpanNode(this, at);
    this.#nodes.set(at, made);
    return made;
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

  /** The places of the spans right below. */
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
 * Turns figures of single spans into those of subtrees, in place. A parent that repeats its children's figures counts once: the larger of its
 * own and their sum (docs/reference/ingest.md#double-counting).
 * @returns the sum of the children of each
 */
function addUp(total: Float64Array, parent: Int32Array): Float64Array {
  const sums = new Float64Array(total.length);
  for (let at = total.length - 1; at >= 0; at--) {
    const whole = Math.max(total[at] as number, sums[at] as number);
    total[at] = whole;
    const above = parent[at] as number;
    if (above >= 0) sums[above] = (sums[above] as number) + whole;
  }
  return sums;
}

const usageOf = (column: (key: (typeof usageKeys)[number]) => Float64Array): UsageColumns => ({
  input_tokens: column('input_tokens'),
  output_tokens: column('output_tokens'),
  tokens: column('tokens'),
  cost: column('cost'),
});
