/** Tokens and durations of made-up model calls, computed from the lengths of their texts. */
import { createHash } from 'node:crypto';
import type { Attributes } from '../otlp-values.ts';
import type { Model } from './story.ts';

interface ModelFacts {
  provider: 'openai' | 'anthropic';
  firstTokenMs: number;
  tokensPerSecond: number;
  /** Reasoning tokens of an average answer. */
  reasoning: number;
}

const models: Record<Model, ModelFacts> = {
  'gpt-5': { provider: 'openai', firstTokenMs: 900, tokensPerSecond: 85, reasoning: 256 },
  'gpt-5-mini': { provider: 'openai', firstTokenMs: 520, tokensPerSecond: 130, reasoning: 128 },
  'claude-sonnet-4-5': { provider: 'anthropic', firstTokenMs: 1_050, tokensPerSecond: 72, reasoning: 0 },
  'claude-haiku-4-5': { provider: 'anthropic', firstTokenMs: 480, tokensPerSecond: 140, reasoning: 0 },
};

const cachedMin = 1024;
const cacheStep = 128;
const reasoningStep = 64;

/** From 0 to 1, always the same for the same text. */
export const fractionOf = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE() / 0xffff_ffff;

const tokensOf = (text: string): number => Math.ceil(text.length / 4);

export interface ModelCall {
  model: Model;
  /** Makes its figures differ from those of other calls; the same for the same call of every demo. */
  seed: string;
  /** All of its input and output, as JSON. */
  input: string;
  output: string;
  /** The input tokens of the call before it in the same run, 0 for the first: so much of its input may be cached. */
  tokensBefore: number;
}

export interface CallFigures {
  ms: number;
  inputTokens: number;
  attributes: Attributes;
}

export function callFigures({ model, seed, input, output, tokensBefore }: ModelCall): CallFigures {
  const { provider, firstTokenMs, tokensPerSecond, reasoning } = models[model];
  const chance = fractionOf(seed);
  const inputTokens = tokensOf(input);
  const cached = tokensBefore < cachedMin ? 0 : tokensBefore - (tokensBefore % cacheStep);
  const thought = Math.round((reasoning * 2 * chance) / reasoningStep) * reasoningStep;
  const outputTokens = tokensOf(output) + thought;
  const firstMs = firstTokenMs * (0.75 + chance * 0.7) + (inputTokens - cached) / 20 + (thought / tokensPerSecond) * 1000;
  return {
    ms: Math.round(firstMs + ((outputTokens - thought) / tokensPerSecond) * 1000),
    inputTokens,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': provider,
      'gen_ai.request.model': model,
      'gen_ai.response.model': model,
      'gen_ai.response.time_to_first_chunk': Math.round(firstMs) / 1000,
      'gen_ai.usage.input_tokens': inputTokens,
      'gen_ai.usage.output_tokens': outputTokens,
      'gen_ai.usage.cache_read.input_tokens': cached || null,
      'gen_ai.usage.reasoning.output_tokens': thought || null,
    },
  };
}

/** A call that the provider refused: nothing was used. @returns milliseconds, and attributes */
export const refusedCall = (model: Model, error: string): Pick<CallFigures, 'ms' | 'attributes'> => ({
  ms: Math.round(900 + fractionOf(error) * 1_400),
  attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.provider.name': models[model].provider, 'gen_ai.request.model': model },
});
