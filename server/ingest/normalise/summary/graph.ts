import { parseJson } from '../attributes.ts';
import type { SpanGraph } from '../normalised.ts';
import type { FieldResolver } from './field-resolver.ts';
import type { Metadata } from './metadata.ts';

/**
 * The node of the agent graph that a span represents: from AgentMark's metadata, OpenInference or LangGraph
 * (docs/reference/ingest.md#agent-graph).
 */
export function graphOf(resolver: FieldResolver, metadata: Metadata): SpanGraph | null {
  return (
    withSource(resolver, 'metadata graph.node.*', fromMetadata(metadata.graph)) ??
    withSource(resolver, 'graph.node.id', fromOpenInference(resolver)) ??
    withSource(resolver, 'metadata langgraph_node', fromLangGraph(resolver, metadata.entries))
  );
}

function withSource(resolver: FieldResolver, reason: string, graph: SpanGraph | null): SpanGraph | null {
  if (graph !== null) resolver.noteSource('graph', reason);
  return graph;
}

function fromMetadata(node: Record<string, string> | null): SpanGraph | null {
  if (!node?.id) return null;
  const parentList = parentIds(node.parent_ids ?? '');
  return {
    node_id: node.id,
    parent_ids: parentList.length > 0 ? parentList : node.parent_id ? [node.parent_id] : [],
    node_type: node.type ?? '',
    display_name: node.display_name ?? node.name ?? '',
  };
}

/** Parses JSON text of a list; other text is an empty list. */
function parentIds(text: string): string[] {
  const list = text === '' ? undefined : parseJson(text);
  if (!Array.isArray(list)) return [];
  return list.filter((id): id is string => typeof id === 'string' && id !== '');
}

function fromOpenInference(resolver: FieldResolver): SpanGraph | null {
  const id = resolver.text('node_id');
  if (id === '') return null;
  const parent = resolver.text('node_parent');
  return {
    node_id: id,
    parent_ids: parent === '' ? [] : [parent],
    node_type: resolver.text('node_type'),
    display_name: resolver.text('node_name'),
  };
}

/** Every span inside a LangGraph node repeats the node's name as metadata; only the span with that name is the node. */
function fromLangGraph(resolver: FieldResolver, metadata: Record<string, string>): SpanGraph | null {
  const node = metadata.langgraph_node;
  const { name } = resolver.spanData.span;
  if (!node || (name !== node && name !== `${node}.task`)) return null;
  return { node_id: node, parent_ids: triggersOf(metadata.langgraph_triggers ?? ''), node_type: '', display_name: node };
}

/** Older versions name the previous node: `branch:<from>:<condition>:<to>` or `start:<to>`; newer ones do not. */
function triggersOf(text: string): string[] {
  const parents = new Set<string>();
  for (const trigger of parentIds(text)) {
    const [type, from, condition, to] = trigger.split(':');
    if (type === 'branch' && from && condition !== undefined && to !== undefined) parents.add(from);
  }
  return [...parents];
}
