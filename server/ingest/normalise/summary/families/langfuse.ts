import type { SemanticKind } from '../../../../../shared/contract/tracing/semantic-kinds.ts';
import { fromJson, type Source } from '../field-resolver.ts';
import { amountValue, countValue } from '../values.ts';

/** Langfuse SDK 3 and later. `span` is its default and has no kind, so other indicators decide. */

const kinds = new Map<string, SemanticKind>([
  ['generation', 'llm'],
  ['embedding', 'embedding'],
  ['agent', 'agent'],
  ['tool', 'tool'],
  ['chain', 'function'],
  ['retriever', 'retrieval'],
  ['guardrail', 'guardrail'],
  ['evaluator', 'function'],
  ['event', 'function'],
]);

export function kindOfLangfuse(type: string): SemanticKind | undefined {
  return kinds.get(type.toLowerCase());
}

type Buckets = Record<string, unknown>;

const CACHE_READ = /^(?:input_cached_tokens|input_cache_read|cache_read_input_tokens|input_cached)$/;
const CACHE_WRITE = /^(?:cache_creation_input_tokens|input_cache_creation|input_cache_write)$/;
const REASONING = /^(?:output_reasoning_tokens|output_reasoning|reasoning_tokens)$/;
const INPUT = /^input(?:_|$)/;
const OUTPUT = /^output(?:_|$)/;

function sum(buckets: Buckets, ...patterns: RegExp[]): number | undefined {
  let total: number | undefined;
  for (const [name, value] of Object.entries(buckets)) {
    const count = patterns.some((pattern) => pattern.test(name)) ? countValue(value) : undefined;
    if (count !== undefined) total = (total ?? 0) + count;
  }
  return total;
}

/** Buckets exclude each other, so input is the sum of its buckets, unless `total` shows that `input` and `output` were complete. */
function areComplete(buckets: Buckets): boolean {
  const input = countValue(buckets.input);
  const output = countValue(buckets.output) ?? 0;
  return input !== undefined && countValue(buckets.total) === input + output;
}

function inputOf(buckets: Buckets): number | undefined {
  const openAi = countValue(buckets.prompt_tokens ?? buckets.promptTokens);
  if (openAi !== undefined) return openAi;
  return areComplete(buckets) ? countValue(buckets.input) : sum(buckets, INPUT, CACHE_READ, CACHE_WRITE);
}

function outputOf(buckets: Buckets): number | undefined {
  const openAi = countValue(buckets.completion_tokens ?? buckets.completionTokens);
  if (openAi !== undefined) return openAi;
  return areComplete(buckets) ? countValue(buckets.output) : sum(buckets, OUTPUT);
}

function inUsage(hint: string, read: (buckets: Buckets) => number | undefined): Source {
  return fromJson('langfuse.observation.usage_details', hint, read);
}

export const langfuseUsage = {
  input: inUsage('', inputOf),
  output: inUsage('', outputOf),
  total: inUsage('total', (buckets) => countValue(buckets.total ?? buckets.total_tokens)),
  cacheRead: inUsage('cache', (buckets) => sum(buckets, CACHE_READ)),
  cacheWrite: inUsage('cache', (buckets) => sum(buckets, CACHE_WRITE)),
  reasoning: inUsage('reasoning', (buckets) => sum(buckets, REASONING)),
};

export const langfuseCost = fromJson('langfuse.observation.cost_details', '', (costs) => {
  const total = amountValue(costs.total);
  if (total !== undefined) return total;
  const parts = Object.values(costs)
    .map(amountValue)
    .filter((part) => part !== undefined);
  return parts.length > 0 ? parts.reduce((whole, part) => whole + part, 0) : undefined;
});
