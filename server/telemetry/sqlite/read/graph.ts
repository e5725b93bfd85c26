import type { GraphNode } from '../../../../shared/contract/traces.ts';
import { summarise } from '../../../ingest/normalise/index.ts';
import type { ReadSpan } from './span-payload.ts';

/** One entry per parent of a node; a node without parents has one entry without `parentNodeId` (contract 6.2). */
export function graphOf(spans: ReadSpan[]): GraphNode[] {
  return spans.flatMap(({ wire, sent }) => {
    const { graph } = summarise(sent());
    if (!graph) return [];
    const node = {
      nodeId: graph.node_id,
      spanId: wire.id,
      nodeType: graph.node_type,
      displayName: graph.display_name,
      spanName: wire.name,
    };
    return graph.parent_ids.length === 0 ? [node] : graph.parent_ids.map((parentNodeId) => ({ parentNodeId, ...node }));
  });
}
