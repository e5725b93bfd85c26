import type { SpanSummary } from '../normalise/normalised.ts';
import type { Offer } from './price-shelves.ts';
import type { Price } from './price-table.ts';
import type { Lookup } from './resolve-model.ts';

/**
 * What a cost is made from. The status is not asked for: a call that failed has burned its tokens all the same
 * (docs/reference/ingest.md#cost).
 */
export type Charged = Pick<SpanSummary, 'model' | 'request_model' | 'provider' | 'usage' | 'reported_cost' | 'usage_aggregate'>;

export interface Cost {
  /** US dollars; null when it cannot be known. */
  cost: number | null;
  cost_source: 'reported' | 'computed' | 'none';
  /** `estimated` is computed from a price that had to be guessed. An aggregate has `no_tokens`: they are its children's. */
  reason: 'reported' | 'computed' | 'estimated' | 'no_tokens' | 'no_price' | 'unknown_model';
  /** The row of the price list that was used, `openai/gpt-4o`. */
  matched: string | null;
}

const reported = (cost: number): Cost => ({ cost, cost_source: 'reported', reason: 'reported', matched: null });
const none = (reason: Cost['reason'], matched: string | null = null): Cost => ({ cost: null, cost_source: 'none', reason, matched });

const count = (tokens: number | null) => (tokens !== null && tokens > 0 && Number.isFinite(tokens) ? tokens : 0);

/** Never throws, changes nothing. Called for every span that arrives, so nothing here may search: `look` remembers. */
export function costOf(look: Lookup, span: Charged): Cost {
  const { reported_cost, usage } = span;
  // What the sender was billed is the truth, also when it is 0 and also when it comes with a price we know better.
  if (reported_cost !== null && reported_cost >= 0 && Number.isFinite(reported_cost)) return reported(reported_cost);
  if (span.usage_aggregate || !hasTokens(usage)) return none('no_tokens');
  let offer = look(span.model === '' ? span.request_model : span.model, span.provider);
  let isOtherModel = false;
  // Azure answers with the name of a deployment at times, a router with a model that no list has yet.
  if (typeof offer === 'string' && span.request_model !== '' && span.request_model !== span.model) {
    const asked = look(span.request_model, span.provider);
    if (typeof asked !== 'string') {
      isOtherModel = span.model !== '';
      offer = asked;
    }
  }
  if (typeof offer === 'string') return none(offer);
  const cost = charge(offer, usage);
  if (cost === null) return none('no_tokens', offer.matched);
  const isEstimated = offer.estimated || isOtherModel;
  return { cost, cost_source: 'computed', reason: isEstimated ? 'estimated' : 'computed', matched: offer.matched };
}

const hasTokens = (usage: Charged['usage']) =>
  count(usage.input_tokens) > 0 ||
  count(usage.output_tokens) > 0 ||
  count(usage.total_tokens) > 0 ||
  count(usage.cache_read_tokens) > 0 ||
  count(usage.cache_write_tokens) > 0 ||
  count(usage.reasoning_tokens) > 0;

/** Null when the tokens are known only in sum and the two kinds are priced differently. */
function charge({ price, matched }: Offer, usage: Charged['usage']): number | null {
  const cacheRead = count(usage.cache_read_tokens);
  const cacheWrite = count(usage.cache_write_tokens);
  const total = count(usage.total_tokens);
  let input = count(usage.input_tokens);
  let output = count(usage.output_tokens);
  if (input === 0 && output === 0) {
    // An embedding has no output. Of anything else the sum alone says nothing.
    if (total > 0 && price.output > 0 && !/embed/i.test(matched)) return null;
    input = total;
  } else if (usage.output_tokens === null) output = Math.max(0, total - input);
  else if (usage.input_tokens === null) input = Math.max(0, total - output);
  // More read from the cache than came in at all: this sender counts the cache beside the input.
  if (cacheRead > input) input += cacheRead + cacheWrite;
  return chargeFor(price, input, output, cacheRead, cacheWrite, count(usage.reasoning_tokens));
}

function chargeFor(price: Price, input: number, output: number, cacheRead: number, cacheWrite: number, thought: number): number {
  const rates = price.tier !== undefined && input > price.tier.above ? price.tier : price;
  const read = Math.min(cacheRead, input);
  const write = Math.min(cacheWrite, input - read);
  const reasoning = price.reasoning === undefined ? 0 : Math.min(thought, output);
  const perMillion =
    (input - read - write) * rates.input +
    read * (rates.cache_read ?? rates.input) +
    write * (rates.cache_write ?? rates.input) +
    (output - reasoning) * rates.output +
    reasoning * (price.reasoning ?? 0);
  // To the picodollar, as sums over a trace are: binary fractions would show as 0.000026549999999999998.
  return Math.round(perMillion * 1e6) / 1e12;
}
