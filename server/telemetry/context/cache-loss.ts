/** What it cost that a call did not read from the cache what the call before had left there. */
import type { CacheLoss } from '../../../shared/contract/tracing/context-windows.ts';
import { ratesFor } from '../../ingest/cost/cost-of.ts';
import type { ModelCall } from './model-call.ts';

/**
 * Null when nothing was lost, and when the counts do not say so.
 * @param keptTokens of the call, without those of parts that are new in it
 * @param isWhole nothing of the call before was dropped or shortened
 */
export function cacheLoss(before: ModelCall, call: ModelCall, keptTokens: number, isWhole: boolean): CacheLoss | null {
  const { cached, input } = call.usage;
  const left = (before.usage.cached ?? 0) + (before.usage.written ?? 0);
  if (cached === null || input === null || call.isFailed) return null;
  const tokens = Math.min(left, keptTokens, input) - cached;
  if (tokens <= 0) return null;
  return {
    tokens,
    // How many tokens a part has is an estimate.
    is_estimate: keptTokens < left || !isWhole,
    cost: extraCost(call, input, tokens),
    pause_ms: Math.max(0, call.startMs - before.startMs - before.durationMs),
  };
}

/** Tokens that were written to the cache again cost that; the others were input like any other. */
function extraCost({ price, usage, costFactor }: ModelCall, input: number, tokens: number): number | null {
  const rates = price && ratesFor(price, input);
  if (rates?.cache_read === undefined) return null;
  const again = Math.min(tokens, usage.written ?? 0);
  const perMillion = again * (rates.cache_write ?? rates.input) + (tokens - again) * rates.input - tokens * rates.cache_read;
  return Math.round(perMillion * 1e6 * costFactor) / 1e12;
}
