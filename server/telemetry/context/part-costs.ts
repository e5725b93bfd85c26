/** Shares the cost of the input of a call out among the parts of its prompt. Cached tokens are the first of a prompt. */
import { ratesFor } from '../../ingest/cost/cost-of.ts';
import type { ModelCall } from './model-call.ts';
import type { TokenShares } from './share-tokens.ts';

/** US dollars for each part, in the order of the prompt; null without a price. */
export function partCosts({ price, usage, costFactor }: ModelCall, { tokens, other }: TokenShares): number[] | null {
  if (!price) return null;
  const input = other + tokens.reduce((sum, each) => sum + each, 0);
  const rates = ratesFor(price, input);
  const cached = Math.min(usage.cached ?? 0, input);
  const written = Math.min(usage.written ?? 0, input - cached);
  const [read, write] = [rates.cache_read ?? rates.input, rates.cache_write ?? rates.input];
  // Text that was not recorded is mostly tool definitions, which come first.
  let at = other;
  const within = (from: number, to: number, start: number, end: number) => Math.max(0, Math.min(to, end) - Math.max(from, start));
  return tokens.map((count) => {
    const [from, to] = [at, at + count];
    at = to;
    const [ofCached, ofWritten] = [within(from, to, 0, cached), within(from, to, cached, cached + written)];
    const perMillion = ofCached * read + ofWritten * write + (count - ofCached - ofWritten) * rates.input;
    return Math.round(perMillion * 1e6 * costFactor) / 1e12;
  });
}
