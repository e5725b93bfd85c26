import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { processorTime } from '../../fixtures/processor-time.ts';
import { indexPrices } from './price-index.ts';
import { priceTable } from './price-table.ts';
import { createPricing } from './pricing.ts';
import { createLookup } from './resolve-model.ts';

const { resolve } = createPricing();
const none = { models: new Map(), aliases: new Map() };
const arn = (rest: string) => `arn:aws:bedrock:us-east-1:123456789012:inference-profile/${rest}`;

/** `~` before a row: its price is a guess. Null: no price. */
type Case = [model: string, provider: string, row: string | null];

const check = (cases: Case[]) =>
  it.each(cases)('%s of %j costs %j', (model, provider, row) => {
    const found = resolve(model, provider);
    expect(found && `${found.estimated ? '~' : ''}${found.matched}`).toBe(row);
  });

describe('a new version is not its predecessor', () => {
  check([
    ['gpt-5.4', 'openai', 'openai/gpt-5.4'],
    ['gpt-5.9', 'openai', null],
    ['gpt-4.5', 'openai', null],
    ['gpt-4.5-preview-2025-02-27', 'openai', 'openai/gpt-4.5-preview'],
    ['o9', 'openai', null],
    ['gpt-5-ultra', 'openai', null],
    ['gpt-4o-mini-foo', 'openai', null],
    ['claude-opus-4-9', 'anthropic', null],
    ['claude-opus-4-10', 'anthropic', null],
    ['claude-opus-4-10-12', 'anthropic', null],
    ['claude-opus-4-1-20250805', 'anthropic', 'anthropic/claude-opus-4-1'],
    ['gemini-2.5', 'google', null],
    ['gemini-2.5-flash-ultra', 'google', null],
    ['amazon.titan-embed-text-v1', 'aws.bedrock', 'aws/amazon.titan-embed-text-v1'],
    ['amazon.titan-embed-text-v2:0', 'aws.bedrock', null],
  ]);
});

describe('a date, a stage or a build number does not make another model', () => {
  check([
    ['gpt-4o', 'openai', 'openai/gpt-4o'],
    ['GPT-4o', 'OpenAI', 'openai/gpt-4o'],
    [' gpt-4o ', 'openai', 'openai/gpt-4o'],
    ['gpt-4o-2025-01-01', 'openai', 'openai/gpt-4o'],
    ['gpt-4o-2024-05-13', 'openai', 'openai/gpt-4o-2024-05-13'],
    ['claude-3-5-sonnet-latest', 'anthropic', 'anthropic/claude-3-5-sonnet'],
    ['claude-sonnet-4@20250514', 'gcp.vertex_ai', 'google/claude-4-sonnet'],
    ['gemini-2.0-flash-001', 'gcp.gen_ai', 'google/gemini-2.0-flash'],
    ['gemini-2.5-pro-preview-05-06', 'google', 'google/gemini-2.5-pro'],
    ['gemini-2.5-pro-exp-03-25', 'gcp.gemini', 'google/gemini-2.5-pro'],
    ['gemini-3-flash-preview-06-17', 'google', 'google/gemini-3-flash-preview'],
    ['gemini-2.5-flash-lite-preview-06-17', 'google', 'google/gemini-2.5-flash-lite'],
    ['mistral-large-2605', 'mistral_ai', '~mistral/mistral-large'],
    ['gpt-5-high', 'openai', '~openai/gpt-5'],
  ]);
});

describe('the provider decides', () => {
  check([
    ['gpt-4o', 'azure.ai.openai', 'openai/gpt-4o'],
    ['text-embedding-ada-002', 'azure', 'azure/ada'],
    ['my-deployment', 'azure', null],
    ['openai/gpt-4o', '', 'openai/gpt-4o'],
    ['openai/gpt-4o', 'openrouter', 'openrouter/openai/gpt-4o'],
    ['openrouter/openai/gpt-4o', 'openai', 'openrouter/openai/gpt-4o'],
    ['openrouter:openai/gpt-4o', '', 'openrouter/openai/gpt-4o'],
    ['anthropic:claude-sonnet-4-5', '', 'anthropic/claude-sonnet-4-5'],
    ['anthropic/claude-sonnet-4.5', 'litellm', 'anthropic/claude-sonnet-4-5'],
    ['groq/openai/gpt-oss-120b', '', 'groq/openai/gpt-oss-120b'],
    ['openai/gpt-oss-20b', '', null],
    ['llama-3.3-70b-versatile', 'groq', 'groq/llama-3.3-70b-versatile'],
    ['llama-3.3-70b-versatile', '', '~groq/llama-3.3-70b-versatile'],
    ['deepseek-chat', 'openai', '~deepseek/deepseek-chat'],
    ['moonshotai/Kimi-K2-Instruct', 'together_ai', '~moonshotai/kimi-k2'],
    ['googleai/gemini-2.5-flash', '', 'google/gemini-2.5-flash'],
    ['vertexai/gemini-2.5-pro', '', 'google/gemini-2.5-pro'],
    ['models/gemini-2.5-flash', 'gcp.gemini', 'google/gemini-2.5-flash'],
    ['publishers/google/models/gemini-2.5-pro', '', 'google/gemini-2.5-pro'],
    ['projects/p/locations/l/publishers/google/models/gemini-2.5-flash-001', '', 'google/gemini-2.5-flash'],
    ['accounts/fireworks/models/llama-v3p1-8b-instruct', '', 'fireworks/llama-v3p1-8b-instruct'],
    ['grok-4', 'xai', 'x-ai/grok-4-0709'],
    ['gpt-35-turbo', 'azure', 'openai/gpt-3.5-turbo'],
  ]);
});

describe('Bedrock', () => {
  check([
    [arn('us.anthropic.claude-sonnet-4-5-20250929-v1:0'), 'aws.bedrock', 'aws/anthropic.claude-sonnet-4-5-20250929-v1:0'],
    [arn('global.anthropic.claude-sonnet-4-5-20250929-v1:0'), '', 'aws/global.anthropic.claude-sonnet-4-5-20250929-v1:0'],
    ['us.anthropic.claude-opus-4-5-20251101-v1:0', 'bedrock', 'aws/anthropic.claude-opus-4-5-v1:0'],
    ['global.anthropic.claude-opus-4-5-20251101-v1:0', 'bedrock', 'aws/global.anthropic.claude-opus-4-5-v1:0'],
    ['anthropic.claude-3-haiku-20240307-v1:0', '', 'aws/anthropic.claude-3-haiku-20240307-v1:0'],
    ['anthropic.claude-3-sonnet-20240229-v1:0:28k', 'bedrock', 'aws/anthropic.claude-3-sonnet-20240229-v1:0'],
    ['bedrock/us-east-1/anthropic.claude-3-5-sonnet-20241022-v2:0', 'openai', 'aws/anthropic.claude-3-5-sonnet-20241022-v2:0'],
    ['eu.amazon.nova-lite-v1:0', 'aws_bedrock', 'aws/amazon.nova-lite-v1:0'],
    ['arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/abcd1234efgh', 'aws.bedrock', null],
  ]);
});

describe('tags', () => {
  check([
    ['llama3.1:8b', 'ollama', 'local/llama3.1:8b'],
    ['llama3.1:8b-instruct-q4_K_M', '', '~local/llama3.1:8b-instruct-q4_K_M'],
    ['deepseek-r1:8b', 'openai', '~local/deepseek-r1:8b'],
    ['deepseek-r1:8b', 'deepseek', null],
    ['mistral:latest', '', '~local/mistral:latest'],
    ['nomic-embed-text', 'ollama', 'local/nomic-embed-text'],
    ['ollama/llama3', 'openai', 'local/ollama/llama3'],
    ['Qwen/Qwen2.5-7B-Instruct', 'hosted_vllm', 'local/Qwen/Qwen2.5-7B-Instruct'],
    ['gpt-oss:120b-cloud', 'ollama', null],
    ['deepseek/deepseek-r1:free', 'openrouter', 'openrouter/deepseek/deepseek-r1:free'],
    ['openai/gpt-4o:online', 'openrouter', '~openrouter/openai/gpt-4o'],
    ['anthropic/claude-sonnet-4.5:nitro', 'openrouter', '~openrouter/anthropic/claude-sonnet-4.5'],
  ]);
  it('is free on the local machine and for models tagged free', () => {
    for (const model of ['ollama/llama3', 'x/y:free']) expect(resolve(model, '')?.price).toEqual({ input: 0, output: 0 });
  });
});

describe('fine-tuned models', () => {
  check([
    ['ft:gpt-4o-mini-2024-07-18:acme::abc123', 'openai', 'openai/ft:gpt-4o-mini'],
    ['ft:gpt-4.1-mini-2025-04-14:acme:suffix:id', 'openai', '~openai/gpt-4.1-mini'],
    ['gpt-4o-mini-2024-07-18.ft-0123abcd', 'azure', 'openai/ft:gpt-4o-mini'],
  ]);
});

describe('lookup', () => {
  const priced = (price: number) => ({ input: price, output: price });
  const table = {
    source: priceTable.source,
    prices: {
      groq: { 'm/close': priced(2), far: priced(1) },
      together: { close: priced(3), far: priced(4) },
      novita: { close: priced(4) },
    },
    unpriced: { openai: ['whisper-1'] },
    resells: {},
  };

  it('takes the middle price of resellers that agree, and marks it as estimated', () => {
    expect(createLookup(indexPrices(table), none)('close', '')).toEqual({ price: priced(3), matched: 'together/close', estimated: true });
  });

  it('distinguishes known models without a price from unknown models', () => {
    const lookup = createLookup(indexPrices(table), none);
    expect([lookup('far', ''), lookup('whisper-1', 'openai'), lookup('nonesuch', ''), lookup('', '')]).toEqual([
      'no_price',
      'no_price',
      'unknown_model',
      'unknown_model',
    ]);
  });

  it('gives the same answer to any text, quickly, and never throws', () => {
    const word = fc.constantFrom(
      'gpt-4o',
      '-preview',
      ':free',
      '/',
      ':',
      '@',
      '.',
      '-2024-01-01',
      'ft:',
      'us.',
      'anthropic.',
      '-v1:0',
      '__proto__',
    );
    const text = fc.oneof(
      fc.string(),
      fc.array(word, { maxLength: 40 }).map((words) => words.join('')),
    );
    const another = createPricing();
    fc.assert(
      fc.property(text, text, (model, provider) => {
        expect(resolve(model, provider)).toEqual(another.resolve(model, provider));
      }),
    );
    const elapsedMs = processorTime(() => {
      for (const end of ['', '!', ':']) resolve(`gpt-4o${'-preview'.repeat(36)}${end}`, 'openai');
      resolve('a-'.repeat(1_000_000), 'openai');
    });
    expect(elapsedMs).toBeLessThan(500);
  });

  it('answers as before after lookups of more models than it remembers', () => {
    const before = resolve('gpt-4o', 'openai');
    for (let at = 0; at < 12_000; at++) expect(resolve(`nonesuch-${at}`, '')).toBeNull();
    expect(resolve('gpt-4o', 'openai')).toEqual(before);
  });
});
