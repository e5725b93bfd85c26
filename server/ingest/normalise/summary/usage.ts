import type { Usage } from '../normalised.ts';
import type { FieldResolver } from './field-resolver.ts';

/**
 * Token counts as OpenTelemetry defines them: input includes cache reads and writes, output includes reasoning.
 * Several senders exclude those; all rules for them are in this file.
 */
export function usageOf(resolver: FieldResolver): Usage {
  const usage: Usage = {
    input_tokens: resolver.number('input_tokens'),
    output_tokens: resolver.number('output_tokens'),
    total_tokens: resolver.number('total_tokens'),
    cache_read_tokens: resolver.number('cache_read_tokens'),
    cache_write_tokens: resolver.number('cache_write_tokens'),
    reasoning_tokens: resolver.number('reasoning_tokens'),
  };
  const cached = (usage.cache_read_tokens ?? 0) + (usage.cache_write_tokens ?? 0);
  const reasoning = usage.reasoning_tokens ?? 0;
  const isCacheExcluded = cached > 0 && usage.input_tokens !== null && excludesCache(usage, cached, resolver);
  const isReasoningExcluded = reasoning > 0 && usage.output_tokens !== null && excludesReasoning(usage, reasoning, resolver);
  if (isCacheExcluded) {
    usage.input_tokens = (usage.input_tokens ?? 0) + cached;
    resolver.noteSource('input_tokens', `${resolver.sourceOf('input_tokens')} + cache, which it excludes`);
  }
  if (isReasoningExcluded) {
    usage.output_tokens = (usage.output_tokens ?? 0) + reasoning;
    resolver.noteSource('output_tokens', `${resolver.sourceOf('output_tokens')} + reasoning, which it excludes`);
  }
  completeTotal(usage, isCacheExcluded || isReasoningExcluded, resolver);
  return usage;
}

/** The total of the sender, else the sum. After an addition, the total of the sender may be too small. */
function completeTotal(usage: Usage, isAdded: boolean, resolver: FieldResolver): void {
  if (usage.input_tokens === null && usage.output_tokens === null) return;
  const sum = (usage.input_tokens ?? 0) + (usage.output_tokens ?? 0);
  if (usage.total_tokens !== null && !(isAdded && usage.total_tokens < sum)) return;
  usage.total_tokens = sum;
  resolver.noteSource('total_tokens', 'input + output');
}

function excludesCache(usage: Usage, cached: number, resolver: FieldResolver): boolean {
  const input = usage.input_tokens ?? 0;
  // First the cases that the numbers prove.
  if (cached > input) return true;
  if (usage.total_tokens !== null && usage.total_tokens === input + (usage.output_tokens ?? 0) + cached) return true;
  if (resolver.sourceOf('input_tokens') === 'input_tokens') return true;
  // Anthropic's and Bedrock's own counts exclude the cache. Versions 4 and 5 of the AI SDK, Traceloop for Node and Sentry pass them on.
  const provider = resolver.text('provider');
  if (resolver.text('ai_operation') !== '') {
    return resolver.text('no_cache_tokens') === '' && /anthropic|bedrock/.test(provider);
  }
  if (!provider.startsWith('anthropic')) return false;
  return resolver.spanData.scope.name.startsWith('@traceloop/') || resolver.text('sentry_origin') !== '';
}

/** Gemini's candidate tokens exclude thoughts: if its usage block is the source, or if the sums show it. */
function excludesReasoning(usage: Usage, reasoning: number, resolver: FieldResolver): boolean {
  const output = usage.output_tokens ?? 0;
  if (reasoning > output) return true;
  if (usage.total_tokens !== null && usage.total_tokens === (usage.input_tokens ?? 0) + output + reasoning) return true;
  const source = resolver.sourceOf('reasoning_tokens');
  if (source === 'genkit:output' || source === 'gcp.vertex.agent.llm_response') return true;
  return source === 'ai.response.providerMetadata' && resolver.text('provider').startsWith('google');
}
