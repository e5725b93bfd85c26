import type { GraphNode } from '../../../../shared/contract/tracing/traces.ts';
import { summarise } from '../../../ingest/normalise/index.ts';
import type { DamageReporter } from '../file/damaged.ts';
import { readStoredId } from '../file/id-codec.ts';
import type { ReadSpan } from './span-payload.ts';

/** One entry for each parent of a node; a root has one entry without `parentNodeId`. */
export function graphOf(spans: ReadSpan[], damageReporter: DamageReporter): GraphNode[] {
  return spans.flatMap(({ row, sent }) => {
    const graph = damageReporter.read('span', row.id, () => summarise(sent()).graph);
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
