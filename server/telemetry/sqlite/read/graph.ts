/** The agent graph of a trace. Most spans have no node, and are not decoded to find that out. */
import type { GraphNode } from '../../../../shared/contract/tracing/traces.ts';
import { summarise } from '../../../ingest/normalise/index.ts';
import { readStoredId } from '../file/id-codec.ts';
import { SpanBytes } from '../signatures/span-bytes.ts';
import type { ReadContext } from './read-context.ts';
import type { ReadSpan } from './span-payload.ts';

/** A span with a node contains one of these: the name of an attribute (ingest/normalise/summary/graph.ts), or an escape that may be part of it. */
const signsOfNode = ['graph.node.', 'langgraph_node', '\\u00'].map((text) => Buffer.from(text));

/** One entry for each parent of a node; a root has one entry without `parentNodeId`. */
export function graphOf(spans: ReadSpan[], context: Pick<ReadContext, 'db' | 'records' | 'limit' | 'damageReporter'>): GraphNode[] {
  const bytesOf = new SpanBytes(context.db, context.records);
  const mayHaveNode = ({ row }: ReadSpan) => {
    context.limit.check();
    bytesOf.begin();
    return bytesOf.visit(row, (bytes) => signsOfNode.some((sign) => bytes.includes(sign)));
  };
  return spans.flatMap((span) => {
    const { row, sent } = span;
    const graph = context.damageReporter.read('span', row.id, () => (mayHaveNode(span) ? summarise(sent()).graph : null));
    if (!graph) return [];
    const node = {
      nodeId: graph.node_id,
      spanId: readStoredId(row.span_id),
      nodeType: graph.node_type,
      displayName: graph.display_name,
      spanName: row.name ?? '',
    };
    return graph.parent_ids.length === 0 ? [node] : graph.parent_ids.map((parentNodeId) => ({ parentNodeId, ...node }));
  });
}
