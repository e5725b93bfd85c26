import { useSeenBefore } from '../../../api/seen-before.ts';
import type { SpanNode } from '../../../model/trace/span-node.ts';
import { SeenBeforeCard } from '../../../ui/viewers/seen-before-card.tsx';

/**
 * What is known about other runs with the failure of a trace, at the first span that failed so. It does not wait for it, nor say that it is
 * unknown.
 */
export function SeenFailure({ node, isEnabled }: { node: SpanNode; isEnabled: boolean }) {
  const { tree, order } = node;
  const { data } = useSeenBefore(tree.outline.id, isEnabled && tree.isFailed(order));
  return data?.error && firstLike(node, data.error.span_id) === order ? <SeenBeforeCard traceId={tree.outline.id} seen={data} /> : null;
}

/** The place of the first cause of failure with the kind and name of a span. */
function firstLike({ tree }: SpanNode, spanId: string): number | undefined {
  const failed = tree.placeOf(spanId);
  if (failed === undefined) return undefined;
  const [name, kind] = [tree.nameAt(failed), tree.kindAt(failed)];
  return tree.causes.find((at) => tree.nameAt(at) === name && tree.kindAt(at) === kind) ?? failed;
}
