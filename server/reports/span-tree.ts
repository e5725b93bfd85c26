/** The spans of a trace as a tree, of which a report can show a part. */
import { outlineFlag } from '../../shared/contract/tracing/outline-flags.ts';
import { semanticKinds } from '../../shared/contract/tracing/semantic-kinds.ts';
import type { TraceOutline } from '../../shared/contract/tracing/trace-outline.ts';
import { count, duration, money } from './figures.ts';
import { plain, quoted } from './recorded-text.ts';

/** ERROR, in the columns of an outline. */
export const failedStatus = 2;

export class SpanTree {
  readonly size: number;
  readonly #outline: TraceOutline;
  readonly #children: number[][];
  readonly #depth: number[];

  constructor(outline: TraceOutline) {
    this.#outline = outline;
    this.size = outline.spans.parent.length;
    this.#children = Array.from({ length: this.size }, () => []);
    this.#depth = [];
    for (let at = 0; at < this.size; at++) {
      const above = this.#parentOf(at);
      this.#children[above]?.push(at);
      this.#depth.push(above < 0 ? 0 : this.depthOf(above) + 1);
    }
  }

  indexOf(spanId: string): number {
    return this.#outline.spans.id.indexOf(spanId);
  }

  idOf(at: number): string {
    return this.#outline.spans.id[at] ?? '';
  }

  isFailed(at: number): boolean {
    return this.#outline.spans.status[at] === failedStatus;
  }

  /** A span and all below it, in the order of the tree. */
  below(root: number): number[] {
    const found: number[] = [];
    const open = [root];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      found.push(at);
      open.push(...(this.#children[at] ?? []).toReversed());
    }
    return found;
  }

  /** All spans, in the order of the tree. */
  all(): number[] {
    const roots = this.#children.flatMap((_, at) => (this.#parentOf(at) < 0 ? [at] : []));
    return roots.flatMap((root) => this.below(root));
  }

  /**
   * The most important first: failed spans with the spans above them, then the others level by level.
   * @param spans in the order of the tree
   */
  byImportance(spans: readonly number[]): number[] {
    const order = this.failedPaths(spans);
    const taken = new Set(order);
    const levels: number[][] = [];
    for (const at of spans) {
      if (taken.has(at)) continue;
      const depth = this.depthOf(at);
      levels[depth] ??= [];
      levels[depth].push(at);
    }
    return [...order, ...levels.flat()];
  }

  /** The failed ones among the spans, each after those above it. */
  failedPaths(spans: readonly number[]): number[] {
    const within = new Set(spans);
    const taken = new Set<number>();
    for (const failure of spans) {
      if (!this.isFailed(failure)) continue;
      const path: number[] = [];
      for (let at = failure; within.has(at) && !taken.has(at); at = this.#parentOf(at)) path.push(at);
      for (const at of path.toReversed()) taken.add(at);
    }
    return [...taken];
  }

  /** -1 for none. A parent stands before its children. */
  #parentOf(at: number): number {
    const above = this.#outline.spans.parent[at] ?? -1;
    return above < at ? above : -1;
  }

  /** One line on a span: kind, name, id and figures. */
  line(at: number, baseDepth: number): string {
    const { spans, names, models } = this.#outline;
    const name = names[spans.name[at] ?? -1] ?? '';
    const model = models[spans.model[at] ?? -1];
    const flags = spans.flags[at] ?? 0;
    const figures = [
      ...((flags & outlineFlag.pending) !== 0 ? ['running'] : [duration((spans.duration_us[at] ?? 0) / 1000)]),
      ...((spans.tokens[at] ?? 0) > 0 ? [`${count(spans.input_tokens[at] ?? 0)}→${count(spans.output_tokens[at] ?? 0)} tokens`] : []),
      ...((spans.cost[at] ?? 0) > 0 ? [money(spans.cost[at] ?? 0)] : []),
      ...(this.isFailed(at) ? ['FAILED'] : []),
    ];
    const indent = '  '.repeat(Math.min(this.depthOf(at) - baseDepth, 20));
    const ofModel = model === undefined || name.includes(model) ? '' : ` ${quoted(model, 60)}`;
    return `${indent}${semanticKinds[spans.kind[at] ?? 0] ?? 'function'} ${quoted(name, 80)}${ofModel} · ${plain(this.idOf(at))} · ${figures.join(' · ')}`;
  }

  depthOf(at: number): number {
    return this.#depth[at] ?? 0;
  }
}
