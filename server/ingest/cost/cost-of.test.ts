import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { processorTime } from '../../fixtures/processor-time.ts';
import { type CostInput, costOf } from './cost-of.ts';
import type { Price } from './price-table.ts';
import { createPricing } from './pricing.ts';
import type { Lookup } from './resolve-model.ts';

const prices: Record<string, Price> = {
  cached: { input: 2, output: 8, cache_read: 0.5, cache_write: 2.5 },
  plain: { input: 2, output: 8 },
  embed: { input: 0.1, output: 0 },
  'text-embed-2': { input: 0.1, output: 0.1 },
  thinking: { input: 2, output: 8, reasoning: 3 },
  tiered: { input: 1, output: 4, cache_read: 0.1, tier: { above: 1000, input: 2, output: 6, cache_read: 0.2 } },
  local: { input: 0, output: 0 },
  guessed: { input: 2, output: 8 },
};

const lookup: Lookup = (model) => {
  const price = prices[model];
  if (price) return { price, matched: `list/${model}`, estimated: model === 'guessed' };
  return model === 'whisper' ? 'no_price' : 'unknown_model';
};

const noTokens: CostInput['usage'] = {
  input_tokens: null,
  output_tokens: null,
  total_tokens: null,
  cache_read_tokens: null,
  cache_write_tokens: null,
  reasoning_tokens: null,
};
const span = (model: string, usage: Partial<CostInput['usage']>, more: Partial<CostInput> = {}): CostInput => ({
  model,
  request_model: '',
  provider: '',
  usage: { ...noTokens, ...usage },
  reported_cost: null,
  usage_aggregate: false,
  ...more,
});
const million = 1_000_000;
const dollars = (model: string, usage: Partial<CostInput['usage']>) => costOf(lookup, span(model, usage)).cost;

describe('what the sender reports', () => {
  const usage = { input_tokens: million, output_tokens: million };

  it.each([0, 0.42, 1e6])('keeps %d, whatever we would compute', (reported_cost) => {
    const cost = costOf(lookup, span('plain', usage, { reported_cost }));
    expect(cost).toEqual({ cost: reported_cost, cost_source: 'reported', reason: 'reported', matched: null });
  });

  it('keeps it on an aggregate, too', () => {
    expect(costOf(lookup, span('plain', usage, { reported_cost: 1, usage_aggregate: true })).cost_source).toBe('reported');
  });

  it.each([-1, Number.NaN, Number.POSITIVE_INFINITY])('ignores %d', (reported_cost) => {
    expect(costOf(lookup, span('plain', usage, { reported_cost }))).toMatchObject({ cost: 10, cost_source: 'computed' });
  });
});

describe('what tokens cost', () => {
  it('is rounded to the picodollar, without artefacts of binary fractions', () => {
    expect(dollars('embed', { input_tokens: 3, output_tokens: 0 })).toBe(0.0000003);
    expect(dollars('tiered', { input_tokens: 7, output_tokens: 3, cache_read_tokens: 1 })).toBe(0.0000181);
  });

  it('charges input and output', () => {
    expect(dollars('plain', { input_tokens: 1500, output_tokens: 500 })).toBeCloseTo(0.007, 12);
  });

  it('charges cache reads and cache writes at their own rates', () => {
    const usage = { input_tokens: million, cache_read_tokens: 700_000, cache_write_tokens: 200_000, output_tokens: 0 };
    expect(dollars('cached', usage)).toBeCloseTo(0.1 * 2 + 0.7 * 0.5 + 0.2 * 2.5, 12);
  });

  it('charges the cache as input where the list has no rate for it', () => {
    expect(dollars('plain', { input_tokens: million, cache_read_tokens: 700_000, output_tokens: 0 })).toBeCloseTo(2, 12);
  });

  it('adds the cache to the input for a sender that counts it separately', () => {
    const usage = { input_tokens: 100_000, cache_read_tokens: 700_000, cache_write_tokens: 200_000, output_tokens: 0 };
    expect(dollars('cached', usage)).toBeCloseTo(0.1 * 2 + 0.7 * 0.5 + 0.2 * 2.5, 12);
  });

  it('never charges more cached tokens than input tokens', () => {
    const usage = { input_tokens: million, cache_read_tokens: 800_000, cache_write_tokens: 800_000, output_tokens: 0 };
    expect(dollars('cached', usage)).toBeCloseTo(0.8 * 0.5 + 0.2 * 2.5, 12);
  });

  it('splits reasoning from the output only where it is billed separately', () => {
    const usage = { input_tokens: 0, output_tokens: million, reasoning_tokens: 400_000 };
    expect(dollars('thinking', usage)).toBeCloseTo(0.6 * 8 + 0.4 * 3, 12);
    expect(dollars('plain', usage)).toBeCloseTo(8, 12);
  });

  it('charges all tokens of a long request at the rates of its tier', () => {
    expect(dollars('tiered', { input_tokens: 1000, output_tokens: 10 })).toBeCloseTo((1000 * 1 + 10 * 4) / million, 12);
    const usage = { input_tokens: 1001, cache_read_tokens: 1, output_tokens: 10 };
    expect(dollars('tiered', usage)).toBeCloseTo((1000 * 2 + 0.2 + 10 * 6) / million, 12);
  });

  it('computes missing input or output tokens from the total', () => {
    expect(dollars('plain', { input_tokens: 1000, total_tokens: 1500 })).toBeCloseTo(0.006, 12);
    expect(dollars('plain', { output_tokens: 500, total_tokens: 1500 })).toBeCloseTo(0.006, 12);
  });

  it('takes a total as input for models without output, and otherwise leaves the cost unknown', () => {
    expect(dollars('embed', { total_tokens: million })).toBeCloseTo(0.1, 12);
    expect(dollars('text-embed-2', { total_tokens: million })).toBeCloseTo(0.1, 12);
    expect(dollars('local', { total_tokens: million })).toBe(0);
    const cost = costOf(lookup, span('plain', { total_tokens: million, cache_read_tokens: 5 }));
    expect(cost).toEqual({ cost: null, cost_source: 'none', reason: 'no_tokens', matched: 'list/plain' });
  });

  it('charges a failed call too', () => {
    const failed = { ...span('plain', { input_tokens: 1000, output_tokens: 0 }), status: 'ERROR' as const };
    expect(costOf(lookup, failed).cost).toBeCloseTo(0.002, 12);
  });
});

describe('the reason of a cost', () => {
  const usage = { input_tokens: 10, output_tokens: 10 };

  it('says when the price is estimated', () => {
    expect(costOf(lookup, span('guessed', usage))).toMatchObject({ cost_source: 'computed', reason: 'estimated', matched: 'list/guessed' });
  });

  it.each([
    ['no_tokens', span('plain', {})],
    ['no_tokens', span('plain', { input_tokens: 0, output_tokens: 0, total_tokens: 0 })],
    ['no_tokens', span('plain', { input_tokens: -5, output_tokens: Number.NaN })],
    ['no_tokens', span('plain', usage, { usage_aggregate: true })],
    ['no_price', span('whisper', usage)],
    ['unknown_model', span('nonesuch', usage)],
    ['unknown_model', span('', usage)],
  ])('has no cost for reason of %s', (reason, input) => {
    expect(costOf(lookup, input)).toEqual({ cost: null, cost_source: 'none', reason, matched: null });
  });

  it('falls back to the request model when the response model is unknown, and marks the cost as estimated', () => {
    expect(costOf(lookup, span('deployment-7', usage, { request_model: 'plain' }))).toMatchObject({
      reason: 'estimated',
      matched: 'list/plain',
    });
    expect(costOf(lookup, span('', usage, { request_model: 'plain' }))).toMatchObject({ reason: 'computed', matched: 'list/plain' });
  });
});

describe('for any span', () => {
  const tokens = fc.option(fc.oneof(fc.double(), fc.integer({ min: 0, max: 10_000_000 })));
  const anyUsage = fc.record({
    input_tokens: tokens,
    output_tokens: tokens,
    total_tokens: tokens,
    cache_read_tokens: tokens,
    cache_write_tokens: tokens,
    reasoning_tokens: tokens,
  });

  it('is null or a number that is not negative, for any numbers, and changes nothing', () => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(prices)), anyUsage, tokens, (model, usage, reported_cost) => {
        const input = Object.freeze(span(model, usage, { usage: Object.freeze(usage), reported_cost }));
        const { cost, cost_source } = costOf(lookup, input);
        expect(cost === null || cost >= 0).toBe(true);
        expect(cost === null).toBe(cost_source === 'none');
        expect(costOf(lookup, input)).toEqual(costOf(lookup, input));
      }),
    );
  });

  it('takes well under a microsecond when the model is known', () => {
    const pricing = createPricing();
    const input = span('gpt-4o-2024-11-20', { input_tokens: 1000, output_tokens: 200 }, { provider: 'openai' });
    for (let at = 0; at < 50_000; at++) pricing.costOf(input);
    const elapsedMs = processorTime(() => {
      for (let at = 0; at < 200_000; at++) pricing.costOf(input);
    });
    // 0.06 µs measured; the bound leaves room for a slow machine.
    expect(elapsedMs / 200_000).toBeLessThan(0.002);
  });
});
