import type { Usage } from '../normalised.ts';
import type { Evidence } from './evidence.ts';

/**
 * Token counts by OpenTelemetry's meaning: input includes cache reads and writes, output includes reasoning.
 * Several senders count those apart; which ones is said here and nowhere else.
 */
export function usageOf(evidence: Evidence): Usage {
  const usage: Usage = {
    input_tokens: evidence.number('input_tokens'),
    output_tokens: evidence.number('output_tokens'),
    total_tokens: evidence.number('total_tokens'),
    cache_read_tokens: evidence.number('cache_read_tokens'),
    cache_write_tokens: evidence.number('cache_write_tokens'),
    reasoning_tokens: evidence.number('reasoning_tokens'),
  };
  const cached = (usage.cache_read_tokens ?? 0) + (usage.cache_write_tokens ?? 0);
  const thoughts = usage.reasoning_tokens ?? 0;
  const cacheApart = cached > 0 && usage.input_tokens !== null && countsCacheApart(usage, cached, evidence);
  const thoughtsApart = thoughts > 0 && usage.output_tokens !== null && countsThoughtsApart(usage, thoughts, evidence);
  if (cacheApart) {
    usage.input_tokens = (usage.input_tokens ?? 0) + cached;
    evidence.because('input_tokens', `${evidence.winner('input_tokens')} + cache, which it excludes`);
  }
  if (thoughtsApart) {
    usage.output_tokens = (usage.output_tokens ?? 0) + thoughts;
    evidence.because('output_tokens', `${evidence.winner('output_tokens')} + reasoning, which it excludes`);
  }
  completeTotal(usage, cacheApart || thoughtsApart, evidence);
  return usage;
}

/** `tokens` is the sender's total, otherwise the sum; a total from before an addition is too small. */
function completeTotal(usage: Usage, added: boolean, evidence: Evidence): void {
  if (usage.input_tokens === null && usage.output_tokens === null) return;
  const sum = (usage.input_tokens ?? 0) + (usage.output_tokens ?? 0);
  if (usage.total_tokens !== null && !(added && usage.total_tokens < sum)) return;
  usage.total_tokens = sum;
  evidence.because('total_tokens', 'input + output');
}

function countsCacheApart(usage: Usage, cached: number, evidence: Evidence): boolean {
  const input = usage.input_tokens ?? 0;
  // The arithmetic that leaves no doubt comes first.
  if (cached > input) return true;
  if (usage.total_tokens !== null && usage.total_tokens === input + (usage.output_tokens ?? 0) + cached) return true;
  if (evidence.winner('input_tokens') === 'input_tokens') return true;
  // Anthropic's and Bedrock's own counts exclude the cache. Versions 4 and 5 of the AI SDK, Traceloop for Node and Sentry pass them on.
  const provider = evidence.text('provider');
  if (evidence.text('ai_operation') !== '') {
    return evidence.text('no_cache_tokens') === '' && /anthropic|bedrock/.test(provider);
  }
  if (!provider.startsWith('anthropic')) return false;
  return evidence.sent.scope.name.startsWith('@traceloop/') || evidence.text('sentry_origin') !== '';
}

/** Gemini's candidates exclude thoughts: wherever its own usage block is the source, or the sums say so. */
function countsThoughtsApart(usage: Usage, thoughts: number, evidence: Evidence): boolean {
  const output = usage.output_tokens ?? 0;
  if (thoughts > output) return true;
  if (usage.total_tokens !== null && usage.total_tokens === (usage.input_tokens ?? 0) + output + thoughts) return true;
  const source = evidence.winner('reasoning_tokens');
  if (source === 'genkit:output' || source === 'gcp.vertex.agent.llm_response') return true;
  return source === 'ai.response.providerMetadata' && evidence.text('provider').startsWith('google');
}
