import type { SemanticKind } from '../../../../shared/contract/tracing/semantic-kinds.ts';
import type { FieldResolver } from './field-resolver.ts';

/** The tool of a span, and the displayed name of a span: a tool execution has the name of its tool. */

export const toolNamePrefix = /^(?:execute_tool|tools\/call|running tool:?|ai\.toolCall|claude_code\.tool)(?: |$)/;

/** From an attribute, else from the name of a tool span: `execute_tool search`, or the whole name. */
export function toolNameOf(resolver: FieldResolver, kind: SemanticKind): string {
  const toolName = resolver.text('tool_name');
  if (toolName !== '' || kind !== 'tool') return toolName;
  resolver.noteSource('tool_name', 'span name');
  return toolNameIn(resolver.spanData.span.name);
}

/** The tool in the name of a tool span. */
export const toolNameIn = (spanName: string): string => spanName.replace(toolNamePrefix, '').trim();

export const agentNamePrefix = /^invoke_agent(?: |$)/;

/** The agent in the name of an agent span. */
export const agentNameIn = (spanName: string): string => spanName.replace(agentNamePrefix, '').trim();

export function spanNameOf(resolver: FieldResolver, kind: SemanticKind): string {
  const toolName = kind === 'tool' ? resolver.text('tool_name') : '';
  resolver.noteSource('name', toolName === '' ? 'span name' : resolver.sourceOf('tool_name'));
  return toolName || resolver.spanData.span.name;
}

/** OpenInference names the agent only as the node of a graph. */
export function agentNameOf(resolver: FieldResolver, kind: SemanticKind): string {
  return resolver.text('agent_name') || (kind === 'agent' ? resolver.text('node_id') : '');
}
