import type { SpanFamily } from '../../../../shared/span-families.ts';
import { isClaudeCode } from './families/claude-code.ts';
import type { FieldResolver } from './field-resolver.ts';
import type { Indicator } from './fields.ts';

/** The instrumentation that wrote a span, for a badge. Nothing else depends on it: many spans use two conventions. */

const familiesOfScope: [pattern: RegExp, family: SpanFamily][] = [
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

const familiesOfIndicator: [indicator: Indicator, family: SpanFamily][] = [
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

/** Families by scope name, cached so that the patterns run once per name. Bounded, because senders can send any number of names. */
const familyCache = new Map<string, SpanFamily | ''>();
const CACHE_MAX = 1024;

function familyOfScope(scope: string): SpanFamily | '' {
  const cached = familyCache.get(scope);
  if (cached !== undefined) return cached;
  const family = familiesOfScope.find(([pattern]) => pattern.test(scope))?.[1] ?? '';
  if (familyCache.size < CACHE_MAX) familyCache.set(scope, family);
  return family;
}

export function familyOf(resolver: FieldResolver): SpanFamily | '' {
  const family = familyOfScope(resolver.spanData.scope.name);
  if (family !== '') return family;
  for (const [indicator, name] of familiesOfIndicator) {
    if (resolver.text(indicator) !== '') return name;
  }
  return isClaudeCode(resolver.spanData) ? 'claude-code' : '';
}
