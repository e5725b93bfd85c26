/** The spans of a trace as a tree, of which a report can show a part. */
import { outlineFlag } from '../../shared/contract/tracing/outline-flags.ts';
import { semanticKinds } from '../../shared/contract/tracing/semantic-kinds.ts';
import type { TraceOutline } from '../../shared/contract/tracing/trace-outline.ts';
import { count, duration, money } from './figures.ts';
import { plain, quoted } from './recorded-text.ts';

const failed = 2;

export class SpanTree {
  readonly size: number;
  readonly #outline: TraceOutline;
  readonly #children: number[][];
  readonly #depth: number[];

  constructor(outline: TraceOutline) {
    this.#outline = outline;
    const { parent } = outline.spans;
    this.size = parent.length;
    this.#children = parent.map(() => []);
    this.#depth = parent.map(() => 0);
    // A parent stands before its children, so its depth is known.
    for (const [at, above] of parent.entries()) {
      if (above < 0 || above >= at) continue;
      this.#children[above]?.push(at);
      this.#depth[at] = (this.#depth[above] ?? 0) + 1;
    }
  }

  indexOf(spanId: string): number {
    return this.#outline.spans.id.indexOf(spanId);
  }

  idOf(at: number): string {
    return this.#outline.spans.id[at] ?? '';
  }

  isFailed(at: number): boolean {
    return this.#outline.spans.status[at] === failed;
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
    const roots = this.#outline.spans.parent.flatMap((above, at) => (above < 0 || above >= at ? [at] : []));
    return roots.flatMap((root) => this.below(root));
  }

  /**
   * The most telling first: failed spans with all above them, then level by level.
   * @param spans in the order of the tree
   */
  byImportance(spans: readonly number[]): number[] {
    const order: number[] = [];
    const taken = new Set<number>();
    const within = new Set(spans);
    const take = (at: number) => {
      if (taken.has(at) || !within.has(at)) return;
      taken.add(at);
      order.push(at);
    };
    for (const at of spans.filter((span) => this.isFailed(span))) for (const above of this.#pathTo(at)) take(above);
    for (const at of spans.toSorted((a, b) => (this.#depth[a] ?? 0) - (this.#depth[b] ?? 0) || a - b)) take(at);
    return order;
  }

  #pathTo(at: number): number[] {
    const path = [at];
    for (
      let above = this.#outline.spans.parent[at] ?? -1;
      above >= 0 && above < (path[0] ?? 0);
      above = this.#outline.spans.parent[above] ?? -1
    )
      path.unshift(above);
    return path;
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
