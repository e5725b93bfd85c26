import { describe, expect, it } from 'vitest';
import { priceList, pricing as routes } from '../../../shared/contract/core/pricing.ts';
import { priceOverrides } from './overrides.ts';
import { priceTable } from './price-table.ts';
import { createPricing } from './pricing.ts';

/** Validates the user's file first, as the gateway does. */
const createPricingFor = (overrides: unknown) => createPricing(priceOverrides.parse(overrides));

const own = { input: 7, output: 9 };
const freeze = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(freeze);
  return value;
};

describe("the user's prices", () => {
  it.each([
    ['gpt-4o', 'openai'],
    ['gpt-4o-2024-05-13', 'azure'],
    ['openrouter/openai/gpt-4o', ''],
    ['GPT-4O', ''],
  ])('go before the list for %s of %j', (model, provider) => {
    const pricing = createPricingFor({ models: { 'gpt-4o': own } });
    expect(pricing.resolve(model, provider)).toEqual({ price: own, matched: 'overrides/gpt-4o', estimated: false });
  });

  it('can be those of one provider', () => {
    const pricing = createPricingFor({ models: { 'azure/gpt-4o': own } });
    expect(pricing.resolve('gpt-4o', 'azure.ai.openai')?.matched).toBe('overrides/azure/gpt-4o');
    expect(pricing.resolve('gpt-4o-2024-11-20', 'azure')?.matched).toBe('overrides/azure/gpt-4o');
    expect(pricing.resolve('gpt-4o', 'openai')?.matched).toBe('openai/gpt-4o');
  });

  it('give a price to a local model', () => {
    expect(createPricingFor({ models: { 'llama3.1:8b': own } }).resolve('llama3.1:8b', 'ollama')?.price).toEqual(own);
  });

  it('do not apply to a later version', () => {
    expect(createPricingFor({ models: { 'my-model-1': own } }).resolve('my-model-1.5', '')).toBeNull();
    expect(createPricingFor({ models: { 'my-model-1': own } }).resolve('my-model-1-preview', '')?.estimated).toBe(false);
  });

  it('keep models apart that differ only in case', () => {
    const pricing = createPricingFor({ models: { M1: own, m1: { input: 1, output: 1 } } });
    expect([pricing.resolve('M1', '')?.price.input, pricing.resolve('m1', '')?.price.input]).toEqual([7, 1]);
  });
});

describe('aliases', () => {
  const pricing = createPricingFor({
    models: { mine: own },
    aliases: { 'Prod-Chat': 'gpt-4o', router: 'anthropic/claude-sonnet-4-5', house: 'mine', a: 'b', b: 'a' },
  });

  it.each([
    ['Prod-Chat', 'azure', 'openai/gpt-4o'],
    ['prod-chat', 'azure', 'openai/gpt-4o'],
    ['azure/prod-chat', '', 'openai/gpt-4o'],
    ['router', 'litellm', 'anthropic/claude-sonnet-4-5'],
    ['house', '', 'overrides/mine'],
  ])('%s of %j means %s', (model, provider, row) => {
    expect(pricing.resolve(model, provider)).toMatchObject({ matched: row, estimated: false });
  });

  it('are followed once, so that a cycle ends', () => {
    expect(pricing.resolve('a', '')).toBeNull();
  });
});

describe('context windows', () => {
  it('are those of the list, whatever the user pays', () => {
    const pricing = createPricingFor({ models: { 'claude-sonnet-4-5': own } });
    expect(pricing.contextWindow('claude-sonnet-4-5-20250929', 'anthropic')).toBe(200_000);
    expect(pricing.contextWindow('house-model', '')).toBeNull();
  });

  it('can be set by the user, under other names too', () => {
    const pricing = createPricingFor({ context_windows: { 'house-model': 32_000 }, aliases: { chat: 'house-model' } });
    expect(pricing.contextWindow('house-model', 'vllm')).toBe(32_000);
    expect(pricing.contextWindow('chat', '')).toBe(32_000);
    expect(pricing.resolve('house-model', '')).toBeNull();
  });
});

describe('a prices.json that is not right', () => {
  it.each([
    [{ models: { m: { input: -1, output: 1 } } }, 'input'],
    [{ models: { m: { input: '1', output: 1 } } }, 'input'],
    [{ models: { m: { input: 1 } } }, 'output'],
    [{ models: { m: { input: 1, output: 1, cacheRead: 1 } } }, 'cacheRead'],
    [{ model: {} }, 'model'],
    [{ aliases: { a: '' } }, 'aliases'],
    [[], 'object'],
  ])('is refused: %j', (overrides, field) => {
    expect(() => createPricingFor(overrides)).toThrow(field);
  });
});

describe('GET /v1/pricing', () => {
  const table = createPricingFor({
    models: { mine: { ...own, cache_read: 1.5 } },
    aliases: { chat: 'gpt-4o', lost: 'nonesuch' },
  }).publicTable();

  it('keeps the contract', () => {
    expect(priceList.parse(table)).toEqual(table);
    expect(routes.list).toMatchObject({ path: '/v1/pricing', permission: 'public', cache: 'public, max-age=86400' });
  });

  it("counts thousands of tokens and has the user's models and aliases", () => {
    expect(table.mine).toEqual({ promptPrice: 0.007, completionPrice: 0.009, cacheReadPrice: 0.0015 });
    expect(table['gpt-4o']).toEqual({ promptPrice: 0.0025, completionPrice: 0.01, cacheReadPrice: 0.00125 });
    expect([table['openai/gpt-4o'], table.chat]).toEqual([table['gpt-4o'], table['gpt-4o']]);
    expect(table['perplexity/sonar-deep-research']?.reasoningPrice).toBe(0.003);
  });

  it('has priced models only, and is small enough to send whole', () => {
    expect(Object.keys(table)).not.toContain('lost');
    expect(Object.values(table).every(({ promptPrice, completionPrice }) => promptPrice + completionPrice > 0)).toBe(true);
    expect(Object.keys(table).length).toBeGreaterThan(1000);
    expect(JSON.stringify(table).length).toBeLessThan(300_000);
  });
});

describe('an instance', () => {
  it('is independent of another, and changes neither the list nor its arguments', () => {
    const before = JSON.stringify(priceTable);
    const overrides = freeze({ models: { 'gpt-4o': { ...own } }, aliases: { chat: 'gpt-4o' } });
    const changed = createPricingFor(overrides);
    const standard = createPricing();
    expect(changed.resolve('gpt-4o', '')?.price.input).toBe(7);
    expect(standard.resolve('gpt-4o', '')?.price.input).toBe(2.5);
    expect(changed.resolve('gpt-4o', '')?.price.input).toBe(7);
    changed.publicTable()['gpt-4o'] = { promptPrice: 1, completionPrice: 1 };
    expect(changed.publicTable()['gpt-4o']?.promptPrice).toBe(0.007);
    expect(JSON.stringify(priceTable)).toBe(before);
  });
});
