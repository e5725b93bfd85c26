/**
 * A trace as columns in reading order: the children of a span stand right behind it, so that a subtree is a range and a row is
 * a number. A span is an object (SpanNode) only where one is looked at. O(spans), once per answer of the gateway.
 */
import { outlineFlag } from '../../shared/contract/outline-flags.ts';
import { type SemanticKind, semanticKinds } from '../../shared/contract/semantic-kinds.ts';
import type { TraceOutline } from '../../shared/contract/trace-outline.ts';
import { readingOrder } from './reading-order.ts';
import { SpanNode } from './span-node.ts';

/** Own numbers, or those of a whole subtree. */
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
  /** From reading order to the place in the outline, which is in order of time. */
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
  /** What a span took without the time its children cover. */
  readonly self: Float64Array;
  readonly status: Uint8Array;
  readonly kind: Uint8Array;
  readonly flags: Uint8Array;
  /** 1 where a ring of parents was cut. */
  readonly cut: Uint8Array;
  readonly own: UsageColumns;
  readonly total: UsageColumns;
  /** Spans with tokens whose price nobody knows, in the subtree. */
  readonly unpriced: Int32Array;
  /** Failed spans in the subtree. */
  readonly failures: Int32Array;
  /** Failed spans in reading order, and of those the ones that nothing failed below: where it began. */
  readonly failedAt: Int32Array;
  readonly causes: Int32Array;
  /** When the last span ended, or, while one is in progress, when the outline was read. Milliseconds after the origin. */
  readonly horizon: number;
  readonly #places: Map<string, number>;
  readonly #nodes: (SpanNode | undefined)[];

  /** @param readMs when the outline was read, in epoch milliseconds; says how far spans in progress have come */
  constructor(outline: TraceOutline, readMs: number) {
    const { spans } = outline;
    const size = spans.id.length;
    const { order, readAt, parent, cut } = readingOrder(spans.parent);
    this.outline = outline;
    this.size = size;
    this.order = order;
    this.readAt = readAt;
    this.parent = parent;
    this.cut = Uint8Array.from(order, (place) => cut[place] as number);
    this.kind = Uint8Array.from(order, (place) => spans.kind[place] as number);
    this.status = Uint8Array.from(order, (place) => spans.status[place] as number);
    this.flags = Uint8Array.from(order, (place) => spans.flags[place] as number);
    this.start = Float64Array.from(order, (place) => (spans.start_us[place] as number) / 1000);
    this.end = new Float64Array(size);
    this.horizon = this.#ends(readMs);
    this.own = usageOf((key) => Float64Array.from(order, (place) => spans[key][place] as number));
    this.total = usageOf((key) => this.own[key].slice());
    this.depth = new Int32Array(size);
    this.below = new Int32Array(size);
    this.unpriced = new Int32Array(size);
    this.failures = new Int32Array(size);
    this.self = new Float64Array(size);
    this.#addUp();
    this.#timeAlone();
    const isFailed = (at: number) => this.status[at] === failed;
    this.failedAt = Int32Array.from({ length: size }, (_, at) => at).filter(isFailed);
    this.causes = this.failedAt.filter((at) => this.failures[at] === 1);
    this.#places = new Map();
    for (let at = size - 1; at >= 0; at--) this.#places.set(this.idAt(at), at);
    this.#nodes = new Array<SpanNode | undefined>(size);
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

  /** A parent that repeats its children's numbers counts once: per number, the larger of its own and their sum (ingest 2.7). */
  #addUp(): void {
    const { parent, depth, below, own, total, unpriced, failures, flags, status } = this;
    const sums = usageOf(() => new Float64Array(this.size));
    for (let at = 0; at < this.size; at++) depth[at] = (parent[at] as number) < 0 ? 0 : (depth[parent[at] as number] as number) + 1;
    for (let at = this.size - 1; at >= 0; at--) {
      const hasPricedChildren = (sums.tokens[at] as number) > 0;
      for (const key of usageKeys) total[key][at] = Math.max(own[key][at] as number, sums[key][at] as number);
      // A wrapper that repeats the tokens of its calls has no price of its own to miss.
      if (!hasPricedChildren) unpriced[at] = ((flags[at] as number) & outlineFlag.unpriced) === 0 ? 0 : 1;
      if (status[at] === failed) failures[at] = (failures[at] as number) + 1;
      const above = parent[at] as number;
      if (above < 0) continue;
      for (const key of usageKeys) sums[key][above] = (sums[key][above] as number) + (total[key][at] as number);
      below[above] = (below[above] as number) + (below[at] as number) + 1;
      unpriced[above] = (unpriced[above] as number) + (unpriced[at] as number);
      failures[above] = (failures[above] as number) + (failures[at] as number);
    }
  }

  /** Children come in order of their starts, so one look at each tells what they cover together. */
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
  /** From its start to its first token, in milliseconds; null when not known. */
  firstTokenAt = (at: number): number | null => {
    const us = this.outline.spans.ttft_us[this.order[at] as number] as number;
    return us < 0 ? null : us / 1000;
  };
  durationAt = (at: number): number => (this.end[at] as number) - (this.start[at] as number);
  isPending = (at: number): boolean => ((this.flags[at] as number) & outlineFlag.pending) !== 0;
  isFailed = (at: number): boolean => this.status[at] === failed;
  isGeneration = (at: number): boolean => ((this.flags[at] as number) & outlineFlag.generation) !== 0;

  /** Where a span stands, by its id; undefined for one that has not arrived. */
  placeOf = (id: string): number | undefined => this.#places.get(id);

  node(at: number): SpanNode {
    const known = this.#nodes[at];
    if (known) return known;
    const made = new SpanNode(this, at);
    this.#nodes[at] = made;
    return made;
  }

  /** The node of a span by its id. */
  find = (id: string): SpanNode | undefined => {
    const at = this.#places.get(id);
    return at === undefined ? undefined : this.node(at);
  };

  /** Every span as an object, in reading order. For small traces and single looks, not for what is drawn per frame. */
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

const usageOf = (column: (key: (typeof usageKeys)[number]) => Float64Array): UsageColumns => ({
  input_tokens: column('input_tokens'),
  output_tokens: column('output_tokens'),
  tokens: column('tokens'),
  cost: column('cost'),
});
