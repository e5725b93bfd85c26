import { parseJson } from '../attributes.ts';
import type { SpanGraph } from '../normalised.ts';
import type { Evidence } from './evidence.ts';
import type { Metadata } from './metadata.ts';

/**
 * The node of an agent graph that a span stands for: said by AgentMark's metadata, by OpenInference, or by LangGraph
 * (docs/reference/ingest.md#agent-graph).
 */
export function graphOf(evidence: Evidence, metadata: Metadata): SpanGraph | null {
  return (
    because(evidence, 'metadata graph.node.*', fromMetadata(metadata.graph)) ??
    because(evidence, 'graph.node.id', fromOpenInference(evidence)) ??
    because(evidence, 'metadata langgraph_node', fromLangGraph(evidence, metadata.entries))
  );
}

function because(evidence: Evidence, reason: string, graph: SpanGraph | null): SpanGraph | null {
  if (graph !== null) evidence.because('graph', reason);
  return graph;
}

function fromMetadata(node: Record<string, string> | null): SpanGraph | null {
  if (!node?.id) return null;
  const several = parentIds(node.parent_ids ?? '');
  return {
    node_id: node.id,
    parent_ids: several.length > 0 ? several : node.parent_id ? [node.parent_id] : [],
    node_type: node.type ?? '',
    display_name: node.display_name ?? node.name ?? '',
  };
}

/** JSON text of a list; anything else counts as none. */
function parentIds(text: string): string[] {
  const list = text === '' ? undefined : parseJson(text);
  if (!Array.isArray(list)) return [];
  return list.filter((id): id is string => typeof id === 'string' && id !== '');
}

function fromOpenInference(evidence: Evidence): SpanGraph | null {
  const id = evidence.text('node_id');
  if (id === '') return null;
  const parent = evidence.text('node_parent');
  return {
    node_id: id,
    parent_ids: parent === '' ? [] : [parent],
    node_type: evidence.text('node_type'),
    display_name: evidence.text('node_name'),
  };
}

/** Every span inside a LangGraph node repeats the node's name as metadata; only the one that is named like it is the node. */
function fromLangGraph(evidence: Evidence, metadata: Record<string, string>): SpanGraph | null {
  const node = metadata.langgraph_node;
  const { name } = evidence.sent.span;
  if (!node || (name !== node && name !== `${node}.task`)) return null;
  return { node_id: node, parent_ids: triggersOf(metadata.langgraph_triggers ?? ''), node_type: '', display_name: node };
}

/** Older versions name the node before: `branch:<from>:<condition>:<to>` or `start:<to>`; newer ones do not. */
function triggersOf(text: string): string[] {
  const parents = new Set<string>();
  for (const trigger of parentIds(text)) {
    const [sort, from, condition, to] = trigger.split(':');
    if (sort === 'branch' && from && condition !== undefined && to !== undefined) parents.add(from);
  }
  return [...parents];
}
