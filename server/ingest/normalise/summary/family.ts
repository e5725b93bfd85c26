import type { Evidence } from './evidence.ts';
import { isClaudeCode } from './families/claude-code.ts';
import type { Sign } from './fields.ts';

/** The instrumentation that wrote a span, for a badge. Nothing else depends on it: one span often speaks two conventions. */

const familiesOfScope: [pattern: RegExp, family: string][] = [
  [/^agentmark/, 'agentmark'],
  [/^ai$|^gen_ai$/, 'aisdk'],
  [/mastra|^default-tracer$/, 'mastra'],
  [/^@?arizeai|^@arizeai|openinference/, 'openinference'],
  [/traceloop|^opentelemetry\.instrumentation\./, 'traceloop'],
  [/^pydantic/, 'pydantic'],
  [/^logfire/, 'logfire'],
  [/^gcp\.vertex\.agent/, 'adk'],
  [/^com\.anthropic\.claude_code/, 'claude-code'],
  [/^langsmith/, 'langsmith'],
  [/^langfuse/, 'langfuse'],
  [/litellm/, 'litellm'],
  [/^openlit/, 'openlit'],
  [/^lmnr/, 'laminar'],
  [/^genkit/, 'genkit'],
  [/llama.?index/, 'llamaindex'],
  [/^strands/, 'strands'],
  [/^livekit/, 'livekit'],
  [/^crewai/, 'crewai'],
  [/semantic.?kernel|agent.?framework|^autogen/i, 'microsoft'],
  [/^codex/, 'codex'],
];

const familiesOfSign: [sign: Sign, family: string][] = [
  ['sentry_origin', 'sentry'],
  ['ai_operation', 'aisdk'],
  ['langfuse_type', 'langfuse'],
  ['langsmith_kind', 'langsmith'],
  ['mastra_type', 'mastra'],
  ['genkit_type', 'genkit'],
  ['mlflow_type', 'mlflow'],
  ['laminar_type', 'laminar'],
  ['braintrust_type', 'braintrust'],
  ['logfire_type', 'logfire'],
  ['openinference_kind', 'openinference'],
  ['traceloop_kind', 'traceloop'],
  ['agentmark_kind', 'agentmark'],
  ['mcp_method', 'mcp'],
  ['operation', 'genai'],
  ['own_model', 'genai'],
];

/** Scope names are few; remembered so that the patterns run once each. Bounded, because a sender can invent them. */
const known = new Map<string, string>();
const KNOWN_MAX = 1024;

function ofScope(scope: string): string {
  const remembered = known.get(scope);
  if (remembered !== undefined) return remembered;
  const family = familiesOfScope.find(([pattern]) => pattern.test(scope))?.[1] ?? '';
  if (known.size < KNOWN_MAX) known.set(scope, family);
  return family;
}

export function familyOf(evidence: Evidence): string {
  const family = ofScope(evidence.sent.scope.name);
  if (family !== '') return family;
  for (const [sign, name] of familiesOfSign) {
    if (evidence.text(sign) !== '') return name;
  }
  return isClaudeCode(evidence.sent) ? 'claude-code' : '';
}
