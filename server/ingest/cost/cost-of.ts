import type { SpanSummary } from '../normalise/normalised.ts';
import type { PriceMatch } from './price-index.ts';
import type { Price, Rates } from './price-table.ts';
import type { Lookup } from './resolve-model.ts';

/**
 * The fields that a cost is computed from. The status is not one of them: a failed call has used its tokens all the same
 * (docs/reference/ingest.md#cost).
 */
export type CostInput = Pick<SpanSummary, 'model' | 'request_model' | 'provider' | 'usage' | 'reported_cost' | 'usage_aggregate'>;

export interface Cost {
  /** US dollars; null when it cannot be known. */
  cost: number | null;
  cost_source: 'reported' | 'computed' | 'none';
  /** `estimated`: computed from a price that is a guess. An aggregate has `no_tokens`: they are those of its children. */
  reason: 'reported' | 'computed' | 'estimated' | 'no_tokens' | 'no_price' | 'unknown_model';
  /** The row of the price list that was used, `openai/gpt-4o`. */
  matched: string | null;
}

const reported = (cost: number): Cost => ({ cost, cost_source: 'reported', reason: 'reported', matched: null });
const none = (reason: Cost['reason'], matched: string | null = null): Cost => ({ cost: null, cost_source: 'none', reason, matched });

const count = (tokens: number | null) => (tokens !== null && tokens > 0 && Number.isFinite(tokens) ? tokens : 0);

/** Never throws, changes nothing. Called for every span that arrives, so it must not search: `lookup` is memoised. */
export function costOf(lookup: Lookup, span: CostInput): Cost {
  const { reported_cost, usage } = span;
  // A reported cost always wins, also when it is 0 and when it differs from our price list.
  if (reported_cost !== null && reported_cost >= 0 && Number.isFinite(reported_cost)) return reported(reported_cost);
  if (span.usage_aggregate || !hasTokens(usage)) return none('no_tokens');
  let match = lookup(span.model === '' ? span.request_model : span.model, span.provider);
  let isOtherModel = false;
  // Azure sometimes reports the name of a deployment, and a router a model that no list has yet.
  if (typeof match === 'string' && span.request_model !== '' && span.request_model !== span.model) {
    const requested = lookup(span.request_model, span.provider);
    if (typeof requested !== 'string') {
      isOtherModel = span.model !== '';
      match = requested;
    }
  }
  if (typeof match === 'string') return none(match);
  const cost = charge(match, usage);
  if (cost === null) return none('no_tokens', match.matched);
  const isEstimated = match.estimated || isOtherModel;
  return { cost, cost_source: 'computed', reason: isEstimated ? 'estimated' : 'computed', matched: match.matched };
}

const hasTokens = (usage: CostInput['usage']) =>
  count(usage.input_tokens) > 0 ||
  count(usage.output_tokens) > 0 ||
  count(usage.total_tokens) > 0 ||
  count(usage.cache_read_tokens) > 0 ||
  count(usage.cache_write_tokens) > 0 ||
  count(usage.reasoning_tokens) > 0;

/** Null when only the total is known and input and output have different prices. */
function charge({ price, matched }: PriceMatch, usage: CostInput['usage']): number | null {
  const cacheRead = count(usage.cache_read_tokens);
  const cacheWrite = count(usage.cache_write_tokens);
  const total = count(usage.total_tokens);
  let input = count(usage.input_tokens);
  let output = count(usage.output_tokens);
  if (input === 0 && output === 0) {
    // An embedding has no output. For other models the total alone is not enough.
    if (total > 0 && price.output > 0 && !/embed/i.test(matched)) return null;
    input = total;
  } else if (usage.output_tokens === null) output = Math.max(0, total - input);
  else if (usage.input_tokens === null) input = Math.max(0, total - output);
  // More cache reads than input: this sender does not include the cache in the input.
  if (cacheRead > input) input += cacheRead + cacheWrite;
  return chargeFor(price, input, output, cacheRead, cacheWrite, count(usage.reasoning_tokens));
}

/** The rates of a request with so many input tokens. */
export const ratesFor = (price: Price, input: number): Rates => (price.tier !== undefined && input > price.tier.above ? price.tier : price);

function chargeFor(price: Price, input: number, output: number, cacheRead: number, cacheWrite: number, reasoningTokens: number): number {
  const rates = ratesFor(price, input);
  const read = Math.min(cacheRead, input);
  const write = Math.min(cacheWrite, input - read);
  const reasoning = price.reasoning === undefined ? 0 : Math.min(reasoningTokens, output);
  const perMillion =
    (input - read - write) * rates.input +
    read * (rates.cache_read ?? rates.input) +
    write * (rates.cache_write ?? rates.input) +
    (output - reasoning) * rates.output +
    reasoning * (price.reasoning ?? 0);
  // Rounded to the picodollar, like the sums of a trace: binary fractions would show as 0.000026549999999999998.
  return Math.round(perMillion * 1e6) / 1e12;
}
