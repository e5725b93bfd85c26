/** Which spans of a tree are on screen, in what order. O(spans) per fold or per typed letter, never per key or scroll. */
import type { SpanInTrace } from '../../shared/contract/spans.ts';
import { spanPreview } from './span-preview.ts';
import { ancestors, type SpanNode, type SpanTree } from './span-tree.ts';

export type Folded = ReadonlySet<string>;

/** Everything that no folded span hides. A folded subtree is stepped over at once. */
export function unfoldedRows(tree: SpanTree, folded: Folded): SpanNode[] {
  const rows: SpanNode[] = [];
  for (let i = 0; i < tree.nodes.length; ) {
    const node = tree.nodes[i] as SpanNode;
    rows.push(node);
    i += folded.has(node.span.id) ? node.below + 1 : 1;
  }
  return rows;
}

const searched = new WeakMap<SpanInTrace, string>();

function searchText(span: SpanInTrace): string {
  const known = searched.get(span);
  if (known !== undefined) return known;
  const text = [span.name, span.model ?? '', span.status_message ?? '', spanPreview(span)].join('\n').toLowerCase();
  searched.set(span, text);
  return text;
}

/** The spans whose name, model, message or preview holds the words, in reading order. */
export function findSpans(tree: SpanTree, words: string): SpanNode[] {
  const wanted = words.trim().toLowerCase();
  return wanted === '' ? [] : tree.nodes.filter(({ span }) => searchText(span).includes(wanted));
}

/** The found spans and, so that their place can be read, everything above them. */
export function foundRows(tree: SpanTree, found: readonly SpanNode[]): SpanNode[] {
  const shown = new Set<SpanNode>(found);
  for (const node of found) {
    for (const above of ancestors(node)) {
      if (shown.has(above)) break;
      shown.add(above);
    }
  }
  return tree.nodes.filter((node) => shown.has(node));
}

/** The next of `among` after a place in reading order, or before it; goes round at the end. */
export function nextOf(among: readonly SpanNode[], from: SpanNode | undefined, step: 1 | -1): SpanNode | undefined {
  const at = from?.order ?? (step === 1 ? -1 : Number.POSITIVE_INFINITY);
  if (step === 1) return among.find((node) => node.order > at) ?? among[0];
  return among.findLast((node) => node.order < at) ?? among.at(-1);
}
