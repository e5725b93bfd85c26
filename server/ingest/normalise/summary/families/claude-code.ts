import type { SemanticKind } from '../../../../../shared/contract/tracing/semantic-kinds.ts';
import type { SpanData } from '../../../otlp/raw-span.ts';
import { from, type Source } from '../field-resolver.ts';
import { amountValue, countValue, textValue } from '../values.ts';

/** Claude Code and the Claude Agent SDK. Its attribute names are generic, so they are read in its own spans only. */

const kinds = new Map<string, SemanticKind>([
  ['claude_code.interaction', 'agent'],
  ['claude_code.llm_request', 'llm'],
  ['claude_code.tool', 'tool'],
  ['claude_code.tool.blocked_on_user', 'function'],
  ['claude_code.tool.execution', 'function'],
  ['claude_code.hook', 'function'],
]);

export function isClaudeCode(spanData: SpanData): boolean {
  return spanData.span.name.startsWith('claude_code.') || spanData.scope.name.startsWith('com.anthropic.claude_code');
}

export function kindOfClaudeCode(name: string): SemanticKind | undefined {
  return kinds.get(name);
}

export function claudeText(key: string): Source {
  return from(key, (value, resolver) => (isClaudeCode(resolver.spanData) ? textValue(value) : undefined));
}

export function claudeCount(key: string): Source {
  return from(key, (value, resolver) => (isClaudeCode(resolver.spanData) ? countValue(value) : undefined));
}

export function claudeAmount(key: string): Source {
  return from(key, (value, resolver) => (isClaudeCode(resolver.spanData) ? amountValue(value) : undefined));
}

/** `success=false` is sent without an OTLP status. */
export const claudeFailure = from('success', (value, resolver) =>
  isClaudeCode(resolver.spanData) && (value === false || value === 'false') ? 'success=false' : undefined,
);

/** Its own attributes that are useful in filters. Other attributes of a span come from the user's resource attributes (`team.id`). */
const METADATA = new Set([
  'user_prompt_length',
  'interaction.sequence',
  'attempt',
  'request_id',
  'query_source',
  'speed',
  'agent_id',
  'parent_agent_id',
  'workflow.run_id',
  'workflow.name',
  'response.has_tool_call',
  'hook_event',
  'hook_name',
  'decision',
  'source',
]);

const OWN_KEY =
  /^(?:gen_ai|anthropic|terminal|span|llm_request|service|deployment|user|session|organization|host|os|process|telemetry|interaction|parent|response)\.|^[a-z_]+$/;

export function isClaudeMetadata(key: string): boolean {
  return METADATA.has(key) || !OWN_KEY.test(key);
}
