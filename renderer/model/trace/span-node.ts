/** One span of a tree, as a view on the tree's columns. */
import type { SpanInTrace } from '../../../shared/contract/tracing/spans.ts';
import { type Milliseconds, milliseconds } from '../time/time.ts';
import type { SpanTree } from './span-tree.ts';

export interface Totals {
  input_tokens: number;
  output_tokens: number;
  tokens: number;
  cost: number;
  /** Spans with tokens of unknown price, so that the cost is a lower bound. */
  unpriced: number;
  /** Failed spans, this one included. */
  errors: number;
}

const statuses = ['UNSET', 'OK', 'ERROR'] as const;
const orphanFlag = 4;
const unpricedFlag = 8;

export class SpanNode {
  readonly tree: SpanTree;
  /** Position in reading order (depth first). */
  readonly order: number;
  #span: SpanInTrace | undefined;

  constructor(tree: SpanTree, order: number) {
    this.tree = tree;
    this.order = order;
  }

  /** Span of the outline, without texts. */
  get span(): SpanInTrace {
    this.#span ??= narrowSpan(this.tree, this.order);
    return this.#span;
  }

  get id(): string {
    return this.tree.idAt(this.order);
  }

  get parent(): SpanNode | null {
    const at = this.tree.parent[this.order] as number;
    return at < 0 ? null : this.tree.node(at);
  }

  get children(): SpanNode[] {
    return this.tree.childrenOf(this.order).map((at) => this.tree.node(at));
  }

  get depth(): number {
    return this.tree.depth[this.order] as number;
  }

  get below(): number {
    return this.tree.below[this.order] as number;
  }

  /** Reason why a span with a parent id is a root. */
  get detached(): 'orphan' | 'cycle' | null {
    if (this.tree.cut[this.order] === 1) return 'cycle';
    return ((this.tree.flags[this.order] as number) & orphanFlag) === 0 ? null : 'orphan';
  }

  get totals(): Totals {
    const { total, unpriced, failures } = this.tree;
    const at = this.order;
    return {
      input_tokens: total.input_tokens[at] as number,
      output_tokens: total.output_tokens[at] as number,
      tokens: total.tokens[at] as number,
      cost: total.cost[at] as number,
      unpriced: unpriced[at] as number,
      errors: failures[at] as number,
    };
  }

  get self(): Milliseconds {
    return milliseconds(this.tree.self[this.order] as number);
  }
}

function narrowSpan(tree: SpanTree, at: number): SpanInTrace {
  const { outline, order, own, flags } = tree;
  const index = order[at] as number;
  const parent = outline.spans.parent[index] as number;
  const start = Date.parse(outline.origin) + (outline.spans.start_us[index] as number) / 1000;
  const service_name = outline.services[outline.spans.service[index] as number];
  const cost = own.cost[at] as number;
  return {
    id: tree.idAt(at),
    trace_id: outline.id,
    parent_id: parent < 0 ? null : (outline.spans.id[parent] ?? null),
    name: tree.nameAt(at),
    status: statuses[tree.status[at] as number] ?? 'UNSET',
    duration_ms: (outline.spans.duration_us[index] as number) / 1000,
    timestamp: new Date(start).toISOString(),
    type: tree.isGeneration(at) ? 'GENERATION' : 'SPAN',
    model: tree.modelAt(at),
    input_tokens: own.input_tokens[at] as number,
    output_tokens: own.output_tokens[at] as number,
    tokens: own.tokens[at] as number,
    cost,
    cost_source: ((flags[at] as number) & unpricedFlag) !== 0 || cost === 0 ? 'none' : 'computed',
    span_kind: tree.kindAt(at),
    ...(service_name === undefined ? {} : { service_name }),
    prompt_name: null,
    props: null,
    finish_reason: null,
    settings: null,
    metadata: {},
  };
}
