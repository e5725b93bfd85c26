/** Counts of tokens. Codex counts what was cached as input, and reasoning as output. */
import { amountAt, isJson, type Json, jsonAt } from '../json.ts';
import type { Usage } from '../turn.ts';

/** Null where the line does not say. */
export interface TokenCount {
  last: Usage | null;
  /** Of the session so far. */
  total: Usage | null;
}

export const usageOf = (usage: Json): Usage => ({
  input: amountAt(usage, 'input_tokens'),
  output: amountAt(usage, 'output_tokens'),
  cacheRead: amountAt(usage, 'cached_input_tokens') || amountAt(usage, 'cache_read_input_tokens'),
  cacheWrite: amountAt(usage, 'cache_write_input_tokens'),
  reasoning: amountAt(usage, 'reasoning_output_tokens'),
});

export const tokenCountOf = (info: Json): TokenCount => ({
  last: isJson(info['last_token_usage']) ? usageOf(jsonAt(info, 'last_token_usage')) : null,
  total: isJson(info['total_token_usage']) ? usageOf(jsonAt(info, 'total_token_usage')) : null,
});

/**
 * Tells the counts of a call from those that are repeated: with each change of the limits, and after a compaction with the size of the context
 * that is left. The total changes with calls only.
 */
export class TokenCounts {
  #total: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };

  /** @returns the usage of a call; null if the line is about none */
  next({ last, total }: TokenCount): Usage | null {
    const before = this.#total;
    if (total === null) return last;
    this.#total = total;
    if (total.input === before.input && total.output === before.output) return null;
    const isReset = total.input < before.input || total.output < before.output;
    return last ?? (isReset ? total : difference(total, before));
  }
}

const difference = (a: Usage, b: Usage): Usage => ({
  input: a.input - b.input,
  output: a.output - b.output,
  cacheRead: Math.max(0, a.cacheRead - b.cacheRead),
  cacheWrite: Math.max(0, a.cacheWrite - b.cacheWrite),
  reasoning: Math.max(0, (a.reasoning ?? 0) - (b.reasoning ?? 0)),
});
