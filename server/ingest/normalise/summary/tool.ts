import type { SemanticKind } from '../../../../shared/contract/tracing/semantic-kinds.ts';
import type { Evidence } from './evidence.ts';

/** The tool of a span, and the name that a span has for readers: a tool execution is named after its tool. */

const PREFIX = /^(?:execute_tool|tools\/call|running tool:?|ai\.toolCall|claude_code\.tool)(?: |$)/;

/** As said, else from the span name, for senders that say it nowhere else: `execute_tool search`, or the whole name. */
export function toolNameOf(evidence: Evidence, kind: SemanticKind): string {
  const told = evidence.text('tool_name');
  if (told !== '' || kind !== 'tool') return told;
  evidence.because('tool_name', 'span name');
  return evidence.sent.span.name.replace(PREFIX, '').trim();
}

export function spanNameOf(evidence: Evidence, kind: SemanticKind): string {
  const told = kind === 'tool' ? evidence.text('tool_name') : '';
  evidence.because('name', told === '' ? 'span name' : evidence.winner('tool_name'));
  return told || evidence.sent.span.name;
}

/** OpenInference names the agent only as the node of a graph. */
export function agentNameOf(evidence: Evidence, kind: SemanticKind): string {
  return evidence.text('agent_name') || (kind === 'agent' ? evidence.text('node_id') : '');
}
